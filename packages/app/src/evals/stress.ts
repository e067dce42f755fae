import type { InlineSkill } from "@skillwright/core";
import type { TrialResult, TriggerSummary } from "@skillwright/evals";
import { createHash } from "node:crypto";

const VERBS = [
  ["convert", "Converts"],
  ["check", "Checks"],
  ["summarise", "Summarises"],
  ["compare", "Compares"],
  ["clean", "Cleans up"],
  ["draft", "Drafts"],
  ["translate", "Translates"],
  ["schedule", "Schedules"],
  ["extract", "Extracts"],
  ["merge", "Merges"],
  ["review", "Reviews"],
  ["publish", "Publishes"],
  ["sort", "Sorts"],
  ["plot", "Plots"],
  ["validate", "Validates"],
  ["archive", "Archives"],
] as const;

const THINGS = [
  "invoices",
  "contracts",
  "PDF forms",
  "spreadsheets",
  "CSV exports",
  "JSON settings",
  "meeting notes",
  "support tickets",
  "release notes",
  "photos",
  "presentations",
  "log files",
  "database schemas",
  "travel plans",
  "job applications",
  "product descriptions",
  "survey answers",
  "bank statements",
  "calendars",
  "address lists",
  "audio recordings",
  "source code",
  "unit tests",
  "Markdown documents",
  "mail threads",
  "recipes",
  "maps",
  "time sheets",
  "budgets",
  "legal clauses",
  "medical reports",
  "YAML pipelines",
] as const;

const MANNERS = [
  "for a team",
  "in bulk",
  "with a template",
  "for an audit",
  "by date",
  "by customer",
  "for the web",
  "in two languages",
  "with a history",
  "from a scan",
] as const;

/** Skills as a large catalog has them: each near to some others, none of them real. The same for a seed. */
export function stressSkills(
  count: number,
  seed: number,
  taken: readonly string[] = [],
): readonly InlineSkill[] {
  const names = new Set(taken);
  const total = VERBS.length * THINGS.length * MANNERS.length;
  const order = Array.from({ length: total }, (_, index) => ({ index, key: keyOf(seed, index) }));
  order.sort((a, b) => (a.key < b.key ? -1 : 1));
  const skills: InlineSkill[] = [];
  for (const { index } of order) {
    const skill = skillOf(index);
    if (names.has(skill.name)) continue;
    skills.push(skill);
    if (skills.length === count) break;
  }
  return skills;
}

function skillOf(index: number): InlineSkill {
  const [verb, does] = VERBS[index % VERBS.length] ?? VERBS[0];
  const thing = THINGS[Math.floor(index / VERBS.length) % THINGS.length] ?? THINGS[0];
  const place = Math.floor(index / VERBS.length / THINGS.length);
  const manner = MANNERS[place % MANNERS.length] ?? MANNERS[0];
  const name = `${verb} ${thing} ${manner}`.toLowerCase().replaceAll(" ", "-");
  return {
    name,
    description: `${does} ${thing} ${manner}. Use when someone wants to ${verb} ${thing}.`,
    instructions: `# ${verb} ${thing}\n\nThis skill is made up: it is there to be chosen by mistake.\n`,
  };
}

function keyOf(seed: number, index: number): string {
  return createHash("sha256").update(`${seed} ${index}`).digest("hex");
}

/** The same requests with more skills in the catalog. */
export interface StressedTrigger {
  readonly added: number;
  readonly trigger: TriggerSummary;
  readonly lost: readonly LostCase[];
}

/** A case that was right, or more often so, and is not with so many skills. */
interface LostCase {
  readonly caseId: string;
  /** What was selected where it was wrong; several when the trials differ. */
  readonly skills: readonly string[];
  /** Wrong in so many of the trials that were judged. */
  readonly trials: number;
  readonly of: number;
}

type Trial = Pick<TrialResult, "caseId" | "outcome" | "skills">;

/** Each case once, in the order of its first trial. */
export function lostCases(before: readonly Trial[], now: readonly Trial[]): LostCase[] {
  const was = tallies(before);
  return [...tallies(now)].flatMap(([caseId, { wrong, of, skills }]) => {
    const plain = was.get(caseId);
    const isLost = plain !== undefined && wrong / of > plain.wrong / plain.of;
    return isLost ? [{ caseId, skills: [...skills], trials: wrong, of }] : [];
  });
}

interface Tally {
  wrong: number;
  of: number;
  readonly skills: Set<string>;
}

function tallies(trials: readonly Trial[]): Map<string, Tally> {
  const byCase = new Map<string, Tally>();
  for (const { caseId, outcome, skills } of trials) {
    if (outcome !== "pass" && outcome !== "fail") continue;
    const tally = byCase.get(caseId) ?? { wrong: 0, of: 0, skills: new Set<string>() };
    byCase.set(caseId, tally);
    tally.of++;
    if (outcome === "pass") continue;
    tally.wrong++;
    for (const skill of skills) tally.skills.add(skill);
  }
  return byCase;
}
