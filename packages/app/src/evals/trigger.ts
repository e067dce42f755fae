import { directorySource, inlineSource, type SkillSource } from "@skillwright/core";
import { type EvalCase, type EvalResults, type EvalSummary, summarize } from "@skillwright/evals";
import { resolve } from "node:path";
import { AppFailure } from "../failure.ts";
import { openSessionSkills } from "../session/skills.ts";
import { openEvalModel } from "./model.ts";
import type { OpenedEval } from "./open-eval.ts";
import { forgetEval, runEval, type RunEvalOptions } from "./run-eval.ts";
import { type EvalNumbers, type EvalWatcher, withSources } from "./settings.ts";
import { lostCases, type StressedTrigger, stressSkills } from "./stress.ts";

interface Stress {
  /** So many skills more. */
  readonly count: number;
  /** Where they are taken from. Default: they are made up. */
  readonly root?: string | undefined;
}

interface TriggerRun {
  readonly results: EvalResults;
  readonly summary: EvalSummary;
  readonly stressed?: StressedTrigger;
}

type RunWatched = <Result>(run: (watcher: EvalWatcher) => Promise<Result>) => Promise<Result>;

/** Which skill is selected for which request, over the whole catalog, and over a crowded one. Nothing else is done. */
export async function runTrigger(
  given: OpenedEval,
  numbers: EvalNumbers,
  stress: Stress | undefined,
  watched: RunWatched,
): Promise<TriggerRun> {
  const world = { ...given, cases: triggerCases(given.cases) };
  const half = { isFollowed: stress !== undefined };
  const plain = await evaluate(world, numbers, half, watched);
  const { results, summary } = plain;
  if (stress === undefined) return { results, summary };
  return { results, summary, stressed: await withStress(world, numbers, plain, stress, watched) };
}

/** Only what a case says about skills; those whose actions are given say nothing about selecting. */
function triggerCases(cases: readonly EvalCase[]): readonly EvalCase[] {
  const some = cases.filter(({ expected, mock }) => expected.skills && mock === undefined);
  if (some.length === 0) {
    throw new AppFailure("missing", "no case says which skills are to be used", {
      hint: "Add cases with `expected.skills`, or convert a trigger set: skillwright eval import. See docs/evals.md.",
    });
  }
  return some.map((one) => ({
    ...one,
    expected: { ...one.expected, sequence: [], output: [], statements: [], unsupported: [] },
    constraints: { forbiddenTools: [], requiredTools: [] },
  }));
}

interface Evaluated extends TriggerRun {
  /** Nobody will go on with it. */
  readonly forget: () => Promise<void>;
}

async function evaluate(
  world: OpenedEval,
  numbers: EvalNumbers,
  half: Pick<RunEvalOptions, "stress" | "isFollowed">,
  watched: RunWatched,
): Promise<Evaluated> {
  const { session, host, options } = world;
  const { requestsPerMinute, minimumPassRate, maximumErrorRate } = numbers;
  const model = await openEvalModel(options, { session, host, requestsPerMinute });
  const run = { world, numbers, model, isTriggerOnly: true, ...half };
  const { results } = await watched((watcher) => runEval({ ...run, watcher }));
  const summary = summarize(results, {
    ...(minimumPassRate !== undefined && { minimumPassRate }),
    ...(maximumErrorRate !== undefined && { maximumErrorRate }),
  });
  return { results, summary, forget: () => forgetEval(run, results) };
}

async function withStress(
  world: OpenedEval,
  numbers: EvalNumbers,
  plain: Evaluated,
  stress: Stress,
  watched: RunWatched,
): Promise<StressedTrigger> {
  const { session, options, host, change } = world;
  const source = await stressSource(world, numbers, stress);
  const skills = await openSessionSkills(session, options, host, (given) => {
    const changed = change(given);
    const { roots = [] } = withSources([], false)(changed);
    return {
      ...changed,
      // Behind all others: they crowd the catalog, and replace nothing in it.
      roots: [...roots, source],
      // Nothing of them is run: they are there to be chosen by mistake.
      isTrusted: (skill, onlyFor) =>
        source.roots.includes(skill.root) || (changed.isTrusted?.(skill, onlyFor) ?? true),
    };
  });
  const added = skills.all.length - world.skills.all.length;
  const arm = { arm: { name: "with_skill" }, skillsFor: async () => skills } as const;
  const crowded = { ...world, skills, arms: [arm] };
  const { results, summary } = await evaluate(crowded, numbers, { stress: stress.count }, watched);
  // What ended in an error is run again by --resume, and needs the other half.
  if (results.trials.every(({ outcome }) => outcome !== "error")) await plain.forget();
  const lost = lostCases(plain.results.trials, results.trials);
  return { added, trigger: summary.trigger, lost };
}

async function stressSource(
  { host, skills }: OpenedEval,
  { seed }: EvalNumbers,
  { count, root }: Stress,
): Promise<SkillSource> {
  if (root === undefined) {
    const taken = skills.all.map(({ name }) => name);
    return inlineSource(stressSkills(count, seed, taken));
  }
  const source = directorySource(resolve(host.cwd, root), { label: "stress" });
  const scan = await source.scan({});
  const usable = scan.skills.filter(({ metadata }) => metadata !== undefined);
  if (usable.length === 0) throw new AppFailure("usage", `there is no skill in ${root}`);
  const kept = usable.slice(0, count);
  return { roots: source.roots, scan: async () => ({ skills: kept, diagnostics: [] }) };
}
