import { cleanEnvironment, type EnvironmentPlaces } from "../clean-environment.ts";
import type { ExecutionContext, ExecutionReceipt } from "../executor.ts";
import { finishReceipt, type RunFacts } from "../finish-receipt.ts";
import type { ChildEnd } from "../supervise-child.ts";
import type { CheckedProgram } from "./check-program.ts";

/** One program, checked, with a private folder that is gone afterwards. */
export interface ProgramTask {
  readonly checked: CheckedProgram;
  readonly hidden: readonly string[];
  readonly directory: string;
  readonly context: ExecutionContext;
}

/** The environment of a script without what names a skill. */
export function programEnvironment(
  places: Pick<EnvironmentPlaces, "home" | "temporary">,
): Readonly<Record<string, string>> {
  const environment = cleanEnvironment({ ...places, skillDirectory: "", skillName: "" });
  // Only variables that were added can be refused.
  if (!environment.ok) throw new Error(environment.message);
  const { SKILL_DIR: _folder, SKILL_NAME: _name, ...env } = environment.env;
  return env;
}

/** The receipt of a program that was started. */
export function programReceipt(
  end: ChildEnd,
  { checked }: ProgramTask,
  facts: Pick<RunFacts, "sandbox" | "unenforced" | "durationMs" | "failure">,
): ExecutionReceipt {
  const { program, args, limits } = checked;
  return finishReceipt(end, {
    ...facts,
    digest: "",
    command: [program.program, ...args],
    script: program.name,
    // What is missing to a program is not ours to explain, as it is for a script.
    interpreter: "",
    timeoutMs: limits.timeoutMs,
    usesEnvironment: false,
  });
}
