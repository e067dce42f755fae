import { checkRequest } from "./check-request.ts";
import {
  executionFailure,
  type ScriptExecution,
  type Executor,
  refusedReceipt,
} from "./executor.ts";

interface CodeResult {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
}

/** Stands in for a script: gives its output, or throws what becomes its error. */
export type CodeScript = (
  request: ScriptExecution,
  signal: AbortSignal | undefined,
) => CodeResult | string | Promise<CodeResult | string>;

/** Runs functions instead of scripts, by `skill/scripts/name`, and no commands. For tests; starts no process. */
export function createCodeExecutor(scripts: Readonly<Record<string, CodeScript>>): Executor {
  return {
    probe: () => Promise.resolve({ ok: true }),
    async run(request, { signal, onOutput } = {}) {
      const checked = checkRequest({ ...request, cwd: "fresh" });
      if (!checked.ok) return refusedReceipt("code", checked);
      if ("argv" in request) {
        const failure = executionFailure("program-missing", `there is no ${checked.name}`);
        return refusedReceipt("code", failure);
      }
      const name = `${request.skill.name}/${checked.name}`;
      const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
      if (script === undefined) {
        return refusedReceipt("code", executionFailure("script-missing", `there is no ${name}`));
      }
      if (signal?.aborted === true) {
        return refusedReceipt("code", executionFailure("canceled", `${name} was canceled`));
      }
      const result = await resultOf(script, request, signal);
      const { stdout = "", stderr = "", exitCode = 0 } = result;
      if (stdout !== "") onOutput?.(stdout, "stdout");
      if (stderr !== "") onOutput?.(stderr, "stderr");
      const message = `${checked.name} ended with exit code ${exitCode}`;
      const failed = refusedReceipt("code", executionFailure("script-failed", message), {
        exitCode,
        stdout,
        stderr,
        digest: request.skill.digest ?? "",
        command: [checked.name, ...request.args],
      });
      if (exitCode !== 0) return failed;
      const { failure: _, ...succeeded } = failed;
      return { ...succeeded, ok: true };
    },
  };
}

async function resultOf(
  script: CodeScript,
  request: ScriptExecution,
  signal: AbortSignal | undefined,
): Promise<CodeResult> {
  try {
    const result = await script(request, signal);
    return typeof result === "string" ? { stdout: result } : result;
  } catch (error) {
    return { stderr: error instanceof Error ? error.message : "unknown error", exitCode: 1 };
  }
}
