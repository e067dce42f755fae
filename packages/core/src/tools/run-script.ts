import type { Failure } from "../failure.ts";
import type { SkillsView } from "../host/skills-view.ts";
import { promptText } from "../internal/frame.ts";
import { findScript } from "./find-script.ts";
import type { ScriptExecutor, ScriptResult, ToolContext } from "./skill-tool.ts";

export interface ScriptCall {
  readonly skill_name: string;
  readonly script_file: string;
  readonly args: readonly string[] | undefined;
}

export type RanScript =
  | {
      readonly ok: true;
      readonly skill: string;
      readonly script: string;
      readonly resolvedFrom?: string;
      readonly text: string;
    }
  | Failure;

/** Finds a script and hands it to the executor, which decides whether and how it runs. */
export async function runScript(
  view: SkillsView,
  executor: ScriptExecutor,
  { skill_name, script_file, args = [] }: ScriptCall,
  context: ToolContext,
): Promise<RanScript> {
  const found = await findScript(view, skill_name, script_file);
  if (!found.ok) return found;
  const { skill, script } = found;
  if (!executor.canRun(script)) {
    const message = `${JSON.stringify(script)} cannot be run here`;
    const hint = "There is no interpreter for files of its kind.";
    return { ok: false, code: "script-not-runnable", message, hint };
  }
  const result = await executor.run({ skill, script, args }, context);
  const text = outputOf(result);
  if (typeof text !== "string") return text;
  const { resolvedFrom } = found;
  return { ok: true, skill: skill.name, script, ...(resolvedFrom && { resolvedFrom }), text };
}

/** What a script or command printed, or what it left to read when it failed. */
export function outputOf({ ok, text }: ScriptResult): string | Failure<"script-failed"> {
  const output = promptText(text);
  return ok ? output : { ok: false, code: "script-failed", message: output };
}
