import type { Arm } from "../results/eval-results.ts";

/** What the trials of an arm were run with, for a person. */
export function armLabel(arm: Arm["name"]): string {
  if (arm === "old_skill") return "other version";
  return arm === "without_skill" ? "without the skill" : "with the skill";
}
