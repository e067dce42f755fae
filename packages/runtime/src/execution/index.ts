/** What tests use of this folder; sources import the files themselves. */

export { checkRequest, parseScriptPath } from "./check-request.ts";
export { receiptText, refusedReceipt } from "./executor.ts";
export { executionFailure, missingModule } from "./execution-failure.ts";
export { findInterpreter, pythonLibraries, trustedProgram } from "./find-program.ts";
export {
  afterRun,
  cleanEnvironment,
  createRunner,
  prepareRun,
  type RunEnd,
  RunQueue,
  type Sandbox,
  snapshotSkill,
} from "./run.ts";
export {
  isAllowedBy,
  parseDomainRule,
  plainHost,
  wildcardOverStrangers,
} from "./network/domain-rule.ts";
export { startNetworkProxy } from "./network/sandbox-network.ts";
export { probeBubblewrap } from "./bubblewrap.ts";
export {
  childrenOfProcess,
  harmlessText,
  makeRunDirectory,
  OutputCapture,
  parentOfProcess,
  processGone,
  removeRunDirectory,
  sharedDirectory,
} from "./child-process.ts";
export {
  type SandboxRuntimeConfig,
  type SandboxRuntimeManager,
  shellCommand,
} from "./sandbox-runtime.ts";
export { sandboxFiles, startBubblewrap } from "./start-bubblewrap.ts";
