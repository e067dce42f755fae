import type { ScriptExecutor, SkillTool } from "@skillwright/core";

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
    return { ok: false, text: isSaid ? message : `${message}\n${hint}` };
  };
}

function failureOf(
  result: unknown,
): { readonly message: string; readonly hint?: string } | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const { ok, message, hint } = result as Partial<Record<string, unknown>>;
  if (ok !== false) return undefined;
  return {
    message: typeof message === "string" ? message : "the command failed",
    ...(typeof hint === "string" && { hint }),
  };
}
