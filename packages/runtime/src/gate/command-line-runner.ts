import type { ScriptExecutor, SkillTool, ToolFailure } from "@skillwright/core";

/**
 * For the preset `sop`: its `run_shell_command` is the guarded `run_command` under another name and
 * with nothing but a command line.
 */
export function commandLineRunner(tool: SkillTool): NonNullable<ScriptExecutor["runCommand"]> {
  return async (command, context) => {
    const result = await tool.execute({ command }, context);
    const failure = failureOf(result);
    if (failure === undefined) return { ok: true, text: tool.toText(result) };
    const { message, hint } = failure;
    const isSaid = hint === undefined || message.includes(hint);
    return { ok: false, text: isSaid ? message : `${message}\n${hint}`, failure };
  };
}

function failureOf(result: unknown): ToolFailure | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const { ok, message, code } = result as Partial<ToolFailure>;
  if (ok !== false) return undefined;
  const failure = { code: "command-failed", message: "the command failed", ...result, ok } as const;
  return typeof message === "string" && typeof code === "string"
    ? (result as ToolFailure)
    : failure;
}
