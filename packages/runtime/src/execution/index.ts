/** What tests use of this folder; sources import the files themselves. */

export { checkRequest } from "./check-request.ts";
export { cleanEnvironment } from "./clean-environment.ts";
export { isBelow, writablePlaces } from "./control-files.ts";
export { executionFailure, refusedReceipt } from "./executor.ts";
export { findInterpreter } from "./find-interpreter.ts";
export { harmlessText } from "./harmless-text.ts";
export { missingModule } from "./missing-module.ts";
export { isAllowedBy, parseDomainRule, plainHost } from "./network/domain-rule.ts";
export { startNetworkProxy } from "./network/network-proxy.ts";
export { OutputCapture } from "./output-capture.ts";
export { openOutputPipes } from "./output-pipes.ts";
export { prepareRun } from "./prepare-run.ts";
export { probeBubblewrap } from "./probe-bubblewrap.ts";
export { childrenOfProcess, parentOfProcess, processGone } from "./process-alive.ts";
export { refuseNewControlFiles } from "./refuse-new-control-files.ts";
export { makeRunDirectory, removeRunDirectory, sharedDirectory } from "./run-directory.ts";
export { RunQueue } from "./run-queue.ts";
export { sandboxFiles } from "./sandbox-files.ts";
export type {
  SandboxRuntimeConfig,
  SandboxRuntimeManager,
} from "./sandbox-runtime/sandbox-runtime-module.ts";
export { shellCommand } from "./sandbox-runtime/shell-command.ts";
export { parseScriptPath } from "./script-path.ts";
export { snapshotSkill } from "./snapshot-skill.ts";
export { SpillFile } from "./spill-file.ts";
export { startBubblewrap } from "./start-bubblewrap.ts";
export { trustedProgram } from "./trusted-program.ts";
