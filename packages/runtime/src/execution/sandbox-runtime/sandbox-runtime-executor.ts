import { tmpdir } from "node:os";
import { inRunDirectory, neverStarted } from "../bubblewrap-executor.ts";
import { checkRequest } from "../check-request.ts";
import { type ExecutionFailure, type Executor, refusedReceipt } from "../executor.ts";
import { loadSandboxRuntime } from "./sandbox-runtime-module.ts";
import type { SandboxRuntimeOptions } from "./sandbox-runtime-options.ts";

/** Runs scripts in the sandbox of `@anthropic-ai/sandbox-runtime`, one at a time. */
export function createSandboxRuntimeExecutor(options: SandboxRuntimeOptions = {}): Executor {
  const { temporaryDirectory = tmpdir() } = options;
  const refuse = (failure: ExecutionFailure) => refusedReceipt("sandbox-runtime", failure);
  const open = async () => {
    const loaded = await loadSandboxRuntime(options.loadSandboxRuntime);
    if (!loaded.ok) return loaded;
    const { SandboxRuntimeSession } = await import("./sandbox-runtime-session.ts");
    const session = SandboxRuntimeSession.of(loaded.manager);
    const started = await session.probe();
    return started.ok ? ({ ok: true, session } as const) : started;
  };
  return {
    async probe() {
      const opened = await open();
      return opened.ok ? { ok: true } : opened;
    },
    async run(request, context = {}) {
      const checked = checkRequest(request);
      if (!checked.ok) return refuse(checked);
      const opened = await open();
      if (!opened.ok) return refuse(opened);
      const { session } = opened;
      const { runAsProcess } = await import("../run-as-process.ts");
      const { confineScript } = await import("./confine-script.ts");
      const receipt = await session.queue.run(
        () =>
          inRunDirectory({ temporaryDirectory }, "sandbox-runtime", (directory) => {
            const task = { request, checked, directory, context, options };
            return runAsProcess(task, confineScript(session, task));
          }),
        context.signal,
      );
      return receipt ?? refuse(neverStarted(request));
    },
  };
}
