import { checkRequest } from "../../packages/runtime/src/execution/index.ts";
import type { Executor, ExecutionReceipt } from "@skillwright/runtime";
import type { ScriptExecution } from "@skillwright/runtime/internal";

interface CodeResult {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
}

/** Stands in for a script: gives its output, or throws what becomes its error. */
type CodeScript = (request: ScriptExecution) => CodeResult | string | Promise<CodeResult | string>;

/** Runs functions instead of scripts, by `skill/scripts/name`, and no commands. */
export function createCodeExecutor(scripts: Readonly<Record<string, CodeScript>>): Executor {
  return {
    probe: () => Promise.resolve({ ok: true }),
    async run(request) {
      const checked = checkRequest({ ...request, cwd: "fresh" });
      if (!checked.ok) return receipt({ failure: checked });
      const name = "argv" in request ? checked.name : `${request.skill.name}/${checked.name}`;
      const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
      if (script === undefined || "argv" in request) {
        return receipt({
          failure: { ok: false, code: "script-missing", message: `there is no ${name}` },
        });
      }
      const { stdout = "", stderr = "", exitCode = 0 } = await resultOf(script, request);
      const message = `${checked.name} ended with exit code ${exitCode}`;
      const failure = { ok: false, code: "script-failed", message } as const;
      return receipt({
        exitCode,
        stdout,
        stderr,
        digest: request.skill.digest ?? "",
        command: [checked.name, ...request.args],
        ...(exitCode !== 0 && { failure }),
      });
    },
  };
}

function receipt(more: Partial<ExecutionReceipt>): ExecutionReceipt {
  return {
    ok: more.failure === undefined,
    exitCode: null,
    signal: null,
    timedOut: false,
    canceled: false,
    truncated: false,
    stdout: "",
    stderr: "",
    durationMs: 0,
    sandbox: "code",
    digest: "",
    command: [],
    unenforced: [],
    ...more,
  };
}

async function resultOf(script: CodeScript, request: ScriptExecution): Promise<CodeResult> {
  try {
    const result = await script(request);
    return typeof result === "string" ? { stdout: result } : result;
  } catch (error) {
    return { stderr: error instanceof Error ? error.message : "unknown error", exitCode: 1 };
  }
}
