/** What tests use of this folder; sources import the files themselves. */

export { checkRequest, parseScriptPath } from "./check-request.ts";
export { executionFailure, refusedReceipt } from "./executor.ts";
export { findInterpreter } from "./find-interpreter.ts";
export { harmlessText, OutputCapture } from "./output.ts";
export { missingModule } from "./missing-module.ts";
export { afterRun, createRunner, type RunEnd, RunQueue, type Sandbox } from "./run.ts";
export { isAllowedBy, parseDomainRule, plainHost } from "./network/domain-rule.ts";
export { startNetworkProxy } from "./network/network-proxy.ts";
export { cleanEnvironment, prepareRun } from "./prepare-run.ts";
export { probeBubblewrap } from "./bubblewrap.ts";
export { childrenOfProcess, parentOfProcess, processGone } from "./processes.ts";
export { makeRunDirectory, removeRunDirectory, sharedDirectory } from "./run-directory.ts";
export { sandboxFiles } from "./sandbox-plan.ts";
export {
  type SandboxRuntimeConfig,
  type SandboxRuntimeManager,
  shellCommand,
} from "./sandbox-runtime.ts";
export { snapshotSkill } from "./snapshot-skill.ts";
export { startBubblewrap } from "./start-bubblewrap.ts";
export { trustedProgram } from "./trusted-program.ts";
export { receiptText } from "./output.ts";
export { pythonLibraries } from "./find-libraries.ts";
