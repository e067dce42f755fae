import type { EvalSetup } from "../results/eval-results.ts";
import type { SetupChanges } from "./eval-comparison.ts";

const NO_JUDGE = "none";

export function compareSetups(before: EvalSetup, now: EvalSetup): SetupChanges {
  return {
    model: changeOf(before.model, now.model),
    judge: changeOf(before.judge ?? NO_JUDGE, now.judge ?? NO_JUDGE),
    skills: changedSkills(before.skills, now.skills),
    areCasesChanged: before.casesDigest !== now.casesDigest,
    version: changeOf(before.version, now.version),
  };
}

/** What has to be said before anybody believes a comparison. */
export function setupNotes(before: EvalSetup, now: EvalSetup): string[] {
  const notes: string[] = [];
  if (before.model !== now.model) {
    notes.push(
      `The models differ (${before.model}, ${now.model}): a difference may come from them alone.`,
    );
  }
  if (before.judge !== now.judge) {
    const [old, own] = [before.judge ?? NO_JUDGE, now.judge ?? NO_JUDGE];
    notes.push(
      `The judges differ (${old}, ${own}): what is said in words may be judged differently by them alone.`,
    );
  }
  if (before.isDeterministic !== now.isDeterministic) {
    notes.push("Only one of the two is deterministic; they are compared with statistics.");
  }
  if (before.trials !== now.trials) {
    notes.push(`A case had ${before.trials} trials before and has ${now.trials} now.`);
  }
  if (before.casesDigest !== now.casesDigest) {
    notes.push(
      "The cases, or their files, are not the same; those with another request or other checks are left out.",
    );
  }
  if (isOtherVersionChanged(before, now)) {
    notes.push(
      "The other version of the skill (--against) is not the same, or not known to be: what is said about it cannot be compared.",
    );
  }
  return notes;
}

/** Only where both had one: without it nothing is said about it. */
function isOtherVersionChanged(before: EvalSetup, now: EvalSetup): boolean {
  const other = ({ arms }: EvalSetup) => arms.find(({ name }) => name === "old_skill");
  const [old, own] = [other(before), other(now)];
  return old !== undefined && own !== undefined && old.digest !== own.digest;
}

function changeOf(before: string, now: string): { before: string; now: string } | null {
  return before === now ? null : { before, now };
}

function changedSkills(
  before: EvalSetup["skills"],
  now: EvalSetup["skills"],
): SetupChanges["skills"] {
  const digests = new Map(before.map(({ name, digest }) => [name, digest]));
  const names = new Set(now.map(({ name }) => name));
  const different = now.filter(({ name, digest }) => digests.get(name) !== digest);
  return [
    ...different.map(({ name }) => ({
      name,
      change: digests.has(name) ? ("changed" as const) : ("added" as const),
    })),
    ...before
      .filter(({ name }) => !names.has(name))
      .map(({ name }) => ({ name, change: "removed" as const })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1));
}
