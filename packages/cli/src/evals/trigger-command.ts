import { resolve } from "node:path";
import { directorySource, type SkillSource } from "@skillwright/core";
import {
  type EvalCase,
  type EvalResults,
  type EvalSummary,
  summarize,
  verdictExitCode,
} from "@skillwright/evals";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { openSessionSkills } from "../session-skills.ts";
import { withSources } from "./change-catalog.ts";
import { openEvalModel } from "./eval-model.ts";
import {
  type EvalCommandOptions,
  evalNumbers,
  type EvalNumbers,
  requireSense,
  wholeNumber,
} from "./eval-options.ts";
import { type EvalWorld, withEvalWorld } from "./eval-world.ts";
import { printTrigger } from "./print-trigger.ts";
import { lostCases, type StressedTrigger } from "./stressed-trigger.ts";
import { requireWritable } from "./require-writable.ts";
import { forgetEval } from "./journal-folder.ts";
import { runEval, type RunEvalOptions } from "./run-eval.ts";
import { stressSkills } from "./stress-skills.ts";
import { writeReports } from "./write-reports.ts";

export interface TriggerCommandOptions extends EvalCommandOptions {
  /** So many skills more. */
  readonly stress?: string;
  /** Where they are taken from, instead of being made up. */
  readonly withRoot?: string;
}

/** Which skill is selected for which request, over the whole catalog. Nothing else is done. */
export async function triggerCommand(
  paths: readonly string[],
  options: TriggerCommandOptions,
  console: Console,
): Promise<ExitCode> {
  requireSense(options);
  const numbers = evalNumbers(options);
  const { stress } = options;
  const more = stress === undefined ? 0 : wholeNumber(stress, "--stress", { least: 1, most: 5000 });
  if (options.withRoot !== undefined && more === 0) {
    throw new CommandFailure(EXIT.usage, "--with-root needs --stress <number>");
  }
  requireWritable(options, console);
  return withEvalWorld(paths, options, console, async (given) => {
    const world = { ...given, cases: triggerCases(given.cases) };
    const { results, summary, forget } = await evaluate(world, numbers, { isFollowed: more > 0 });
    const stressed =
      more === 0 ? undefined : await withStress(world, numbers, { results, forget }, more);
    await writeReports({ results, summary }, options, console);
    if (console.json) {
      const { verdict, trigger } = summary;
      const { problems } = world;
      console.printJson({
        verdict,
        trigger,
        ...(stressed && { stress: stressed }),
        ...(problems.length > 0 && { problems }),
      });
    } else printTrigger(summary, stressed, console);
    return verdictExitCode(summary.verdict);
  });
}

/** Only what a case says about skills; those whose actions are given say nothing about selecting. */
function triggerCases(cases: readonly EvalCase[]): readonly EvalCase[] {
  const some = cases.filter(({ expected, mock }) => expected.skills && mock === undefined);
  if (some.length === 0) {
    throw new CommandFailure(EXIT.missing, "no case says which skills are to be used", {
      hint: "write evals/trigger-evals.json: [{ query, should_trigger }, …]; see docs/evals.md",
    });
  }
  return some.map((one) => ({
    ...one,
    expected: { ...one.expected, sequence: [], output: [], statements: [], unsupported: [] },
    constraints: { forbiddenTools: [], requiredTools: [] },
  }));
}

interface Evaluated {
  readonly results: EvalResults;
  readonly summary: EvalSummary;
  /** Nobody will go on with it. */
  readonly forget: () => Promise<void>;
}

async function evaluate(
  world: EvalWorld,
  numbers: EvalNumbers,
  half: Pick<RunEvalOptions, "stress" | "isFollowed">,
): Promise<Evaluated> {
  const { session, console, options } = world;
  const { requestsPerMinute, minimumPassRate } = numbers;
  const model = await openEvalModel(options, { session, console, requestsPerMinute });
  const run = { world, numbers, model, isTriggerOnly: true, ...half };
  const results = await runEval(run);
  const summary = summarize(results, minimumPassRate === undefined ? {} : { minimumPassRate });
  return { results, summary, forget: () => forgetEval(run, results.trials) };
}

async function withStress(
  world: EvalWorld,
  numbers: EvalNumbers,
  plain: Pick<Evaluated, "results" | "forget">,
  count: number,
): Promise<StressedTrigger> {
  const { session, options, console, change } = world;
  const source = await stressSource(world, numbers, count);
  const skills = await openSessionSkills(session, options, console, (given) => {
    const changed = change(given);
    const { roots = [] } = withSources([], false)(changed);
    // Behind all others: they crowd the catalog, and replace nothing in it.
    return { ...changed, roots: [...roots, source], isTrusted: trustAlso(changed, source) };
  });
  const added = skills.all.length - world.skills.all.length;
  const arm = { arm: { name: "with_skill" }, skillsFor: async () => skills } as const;
  const crowded = { ...world, skills, arms: [arm] };
  const { results, summary } = await evaluate(crowded, numbers, { stress: count });
  // What ended in an error is run again by --resume, and needs the other half.
  if (results.trials.every(({ outcome }) => outcome !== "error")) await plain.forget();
  const lost = lostCases(plain.results.trials, results.trials);
  return { added, trigger: summary.trigger, lost };
}

/** Nothing of them is run: they are there to be chosen by mistake. */
function trustAlso(
  { isTrusted }: Parameters<EvalWorld["change"]>[0],
  { roots }: SkillSource,
): NonNullable<Parameters<EvalWorld["change"]>[0]["isTrusted"]> {
  return (skill, onlyFor) => roots.includes(skill.root) || (isTrusted?.(skill, onlyFor) ?? true);
}

async function stressSource(
  { options, console, skills }: EvalWorld,
  { seed }: EvalNumbers,
  count: number,
): Promise<SkillSource> {
  const { withRoot } = options as TriggerCommandOptions;
  if (withRoot === undefined) {
    const { inlineSource } = await import("@skillwright/core");
    const taken = skills.all.map(({ name }) => name);
    return inlineSource(stressSkills(count, seed, taken));
  }
  const root = directorySource(resolve(console.cwd, withRoot), { label: "stress" });
  const scan = await root.scan({});
  const usable = scan.skills.filter(({ metadata }) => metadata !== undefined);
  if (usable.length === 0) {
    throw new CommandFailure(EXIT.usage, `there is no skill in ${withRoot}`);
  }
  const kept = usable.slice(0, count);
  return { roots: root.roots, scan: async () => ({ skills: kept, diagnostics: [] }) };
}
