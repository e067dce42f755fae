/** What tests use of this folder; sources import the files themselves. */

export { checkRequest, parseScriptPath } from "./check-request.ts";
export { cleanEnvironment } from "./clean-environment.ts";
export { isBelow, writablePlaces } from "./control-files.ts";
export { executionFailure, refusedReceipt } from "./executor.ts";
export { findInterpreter } from "./find-interpreter.ts";
export { harmlessText, OutputCapture, SpillFile } from "./output.ts";
export { missingModule } from "./finish-receipt.ts";
export { isAllowedBy, parseDomainRule, plainHost } from "./network/domain-rule.ts";
export { startNetworkProxy } from "./network/network-proxy.ts";
export { openOutputPipes } from "./supervise-child.ts";
export { prepareRun } from "./prepare-run.ts";
export { probeBubblewrap } from "./probe-bubblewrap.ts";
export { childrenOfProcess, parentOfProcess, processGone } from "./processes.ts";
export { refuseNewControlFiles } from "./refuse-new-control-files.ts";
export { makeRunDirectory, removeRunDirectory, sharedDirectory } from "./run-directory.ts";
export { RunQueue } from "./run-queue.ts";
export { sandboxFiles } from "./sandbox-plan.ts";
export type {
  SandboxRuntimeConfig,
  SandboxRuntimeManager,
} from "./sandbox-runtime/sandbox-runtime-executor.ts";
export { shellCommand } from "./sandbox-runtime/sandbox-runtime-session.ts";
export { snapshotSkill } from "./snapshot-skill.ts";
export { startBubblewrap } from "./start-bubblewrap.ts";
export { trustedProgram } from "./find-program.ts";
