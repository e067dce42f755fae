import { join } from "node:path";
import type { SkillRecord, Skills, SkillSource } from "@skillwright/core";
import type { ArmOptions, EvalCase } from "@skillwright/evals";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import { openSessionSkills } from "../session-skills.ts";
import type { Session } from "../session.ts";
import { type CatalogChange, chained, withoutSkills, withSources } from "./change-catalog.ts";
import type { EvalCommandOptions } from "./eval-options.ts";
import { digestOfAll, otherVersion } from "./other-version.ts";

interface ArmsContext {
  readonly session: Session;
  readonly options: EvalCommandOptions;
  readonly console: Console;
  readonly skills: Skills;
  /** What makes `skills` of the catalog of this command line. */
  readonly change: CatalogChange;
  readonly cases: readonly EvalCase[];
  readonly folder: string;
}

/** With the skill; on request without it, and with another version of it. All keep all neighbours. */
export async function evalArms(context: ArmsContext): Promise<readonly ArmOptions[]> {
  const { options, skills } = context;
  const { without = false, against } = options;
  const arms: ArmOptions[] = [{ arm: { name: "with_skill" }, skillsFor: async () => skills }];
  if (without) arms.push(bareArm(context));
  if (against !== undefined) arms.push(await oldArm(against, context));
  return arms;
}

function bareArm(context: ArmsContext): ArmOptions {
  requireTested("--without", context);
  const skillsFor = catalogPerSkills(context, async (tested) =>
    chained(context.change, withoutSkills(tested.map(({ name }) => name))),
  );
  return {
    arm: { name: "without_skill", ...leftOut(context) },
    skillsFor,
    isFor: isTested(context),
  };
}

/** Whether there is a skill to take away: else the case would be run with the whole catalog once more. */
function isTested({ skills }: ArmsContext): (evalCase: EvalCase) => boolean {
  return (evalCase) => testedSkills(evalCase, skills).length > 0;
}

function leftOut(context: ArmsContext): Pick<ArmOptions["arm"], "leftOut"> {
  const isOwn = isTested(context);
  const ids = context.cases.filter((one) => !isOwn(one)).map(({ id }) => id);
  return ids.length > 0 ? { leftOut: ids.toSorted() } : {};
}

function requireTested(option: string, context: ArmsContext): void {
  if (context.cases.some(isTested(context))) return;
  throw new CommandFailure(EXIT.usage, `${option}: no case names a skill of the catalog`, {
    hint: "put cases into evals/ of the skill, or name it in expected.skills",
  });
}

/** What cannot be found is said before the first trial. */
async function oldArm(reference: string, context: ArmsContext): Promise<ArmOptions> {
  const { skills, cases, console, folder } = context;
  requireTested("--against", context);
  const place = { reference, cwd: console.cwd, folder: join(folder, "against") };
  const tested = new Map(
    cases.flatMap((one) => testedSkills(one, skills)).map((skill) => [skill.id, skill]),
  );
  const sources = new Map<string, SkillSource>();
  const commits = new Set<string>();
  const digests: string[] = [];
  for (const skill of tested.values()) {
    const { source, commit, digest } = await otherVersion(skill, place);
    sources.set(skill.id, source);
    digests.push(`${skill.id} ${digest}`);
    if (commit !== undefined) commits.add(commit.slice(0, 12));
  }
  const skillsFor = catalogPerSkills(context, async (some) => {
    const old = some.flatMap(({ id }) => sources.get(id) ?? []);
    const names = some.map(({ name }) => name);
    // The skill that is tested is trusted: so is another version of it that its user names.
    return chained(context.change, withoutSkills(names), withSources(old, true));
  });
  const exact = commits.size === 0 ? reference : `${reference} (${[...commits].join(", ")})`;
  const digest = digestOfAll(digests);
  const arm = { name: "old_skill", reference: exact, digest, ...leftOut(context) } as const;
  return { arm, skillsFor, isFor: isTested(context) };
}

/** A catalog for each set of tested skills, made when the first case needs it. */
function catalogPerSkills(
  { session, options, console, skills }: ArmsContext,
  changeFor: (tested: readonly SkillRecord[]) => Promise<CatalogChange>,
): ArmOptions["skillsFor"] {
  const known = new Map<string, Promise<Skills>>();
  const open = async (tested: readonly SkillRecord[]) => {
    const change = await changeFor(tested);
    return openSessionSkills(session, options, console, change);
  };
  return (evalCase) => {
    const tested = testedSkills(evalCase, skills);
    const key = tested.map(({ id }) => id).join("\n");
    const catalog = known.get(key) ?? open(tested);
    known.set(key, catalog);
    return catalog;
  };
}

/** The skill that the case belongs to, else those that it expects. */
function testedSkills({ origin, expected }: EvalCase, skills: Skills): SkillRecord[] {
  const own = origin.skill === undefined ? undefined : skills.get(origin.skill);
  if (own !== undefined) return [own];
  return (expected.skills?.used ?? []).flatMap((name) => skills.get(name) ?? []);
}
