import type { ToolContext } from "@skillwright/core";
import {
  type CodeRequest,
  defined,
  isHostError,
  promptText,
  type ScriptResult,
  truncateMiddle,
} from "@skillwright/core/internal";
import { executionFailure } from "../execution/execution-failure.ts";
import {
  canceledFailure,
  type ExecutionReceipt,
  type Executor,
  timedOutFailure,
  receiptText,
} from "../execution/executor.ts";
import { failed, failureText, restoreSecrets } from "./model-text.ts";
import { runRecorded, type ScriptExecutorOptions } from "./run-recorded.ts";

const SANDBOX = "code";
const TIMEOUT_MS = 60_000;
const OUTPUT_BYTES = 102_400;

/**
 * A script that is a function of the host passes the same gate as a file: policy, approval, record. It
 * runs in this process, so nothing but the function itself limits what it does.
 */
export async function runCode(
  request: CodeRequest,
  context: ToolContext,
  options: ScriptExecutorOptions,
): Promise<ScriptResult> {
  const { gate, cwd, limits } = options;
  const { skill, script, args, digest, text, allowedTools } = request;
  const { name, source, trusted, path } = skill;
  const { signal } = context;
  const restored = restoreSecrets(gate.secrets, (restore) => args.map(restore));
  if (restored.problem !== undefined) {
    return { ok: false, text: promptText(failureText(restored.problem)) };
  }
  const inputWith = (words: readonly string[]) => {
    return { skill_name: name, script_file: script, args: words };
  };
  const approved = { name, source, digest };
  const passed = await gate.pass(
    {
      tool: "run_script",
      input: inputWith(args),
      restoredInput: inputWith(restored.value),
      secretNames: restored.names,
      cwd,
      skill: approved,
      script: { path: script, args, text },
      sandbox: SANDBOX,
      policySkill: { name, trusted, ...(allowedTools && { allowedTools }) },
    },
    context,
  );
  if (!passed.ok) return failed(passed);
  const { receipt, text: result } = await runRecorded({
    gate,
    ...defined({ onOutput: options.onOutput }),
    executor: executorOf(request),
    kind: "script",
    facts: { skill: name, digest, script },
    start: { args, cwd, sandbox: SANDBOX },
    request: {
      skill: { name, path, digest },
      script,
      args: restored.value,
      cwd,
      ...defined({ limits }),
    },
    by: script,
    skill: approved,
    signal,
    toText: receiptText,
  });
  const shown = promptText(result);
  if (receipt.ok) return { ok: true, text: shown };
  const code = receipt.canceled ? "aborted" : "script-failed";
  return failed({ ok: false, code, message: shown, receipt });
}

/** Calls the function in the place of a process. */
function executorOf({ code, digest, script }: CodeRequest): Executor {
  return {
    probe: () => Promise.resolve({ ok: true }),
    async run(request, { signal, onOutput } = {}) {
      const { timeoutMs = TIMEOUT_MS, outputBytes = OUTPUT_BYTES } = request.limits ?? {};
      const args = "args" in request ? request.args : [];
      const started = performance.now();
      const ended = await called(code, args, timeoutMs, signal);
      const text = ended.output?.ok === true ? ended.output.text : "";
      const stdout = truncateMiddle(text, outputBytes);
      if (stdout !== "") onOutput?.(stdout, "stdout");
      const failure =
        ended.reason === "timeout"
          ? timedOutFailure(script, timeoutMs)
          : ended.reason === "abort"
            ? canceledFailure(script)
            : ended.output?.ok === false
              ? executionFailure("script-failed", ended.output.message, ended.output.hint)
              : undefined;
      const receipt: ExecutionReceipt = {
        ok: failure === undefined,
        exitCode: failure === undefined ? 0 : 1,
        signal: null,
        timedOut: ended.reason === "timeout",
        canceled: ended.reason === "abort",
        truncated: stdout !== text,
        stdout,
        stderr: "",
        durationMs: Math.round(performance.now() - started),
        sandbox: SANDBOX,
        digest,
        command: [],
        unenforced: [],
        ...defined({ failure }),
      };
      return receipt;
    },
  };
}

type Ended = {
  readonly output?: Awaited<ReturnType<CodeRequest["code"]["run"]>>;
  readonly reason?: "timeout" | "abort";
};

/** The function is told to stop through its signal; whether it does or not, its time is over. */
async function called(
  code: CodeRequest["code"],
  args: readonly string[],
  timeoutMs: number,
  outer: AbortSignal | undefined,
): Promise<Ended> {
  if (outer?.aborted === true) return { reason: "abort" };
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const stopped = new Promise<Ended>((resolve) => {
    timer = setTimeout(() => resolve({ reason: "timeout" }), timeoutMs);
    onAbort = () => resolve({ reason: "abort" });
    outer?.addEventListener("abort", onAbort);
  });
  const running = code
    .run(args, { signal: controller.signal })
    .then((output): Ended => ({ output }));
  try {
    return await Promise.race([running, stopped]);
  } catch (error) {
    if (isHostError(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return { output: executionFailure("script-failed", message) };
  } finally {
    controller.abort();
    clearTimeout(timer);
    if (onAbort !== undefined) outer?.removeEventListener("abort", onAbort);
    running.catch(() => {});
  }
}
