import { directorySource, type SkillSource } from "@skillwright/core";
import { quoteLine, visibleLine } from "@skillwright/core/internal";
import {
  type EvalCase,
  type EvalResults,
  type EvalSummary,
  formatRate,
  summarize,
  type TriggerSummary,
  verdictExitCode,
  verdictLines,
} from "@skillwright/evals";
import { resolve } from "node:path";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { openSessionSkills } from "@skillwright/app/internal";
import { table } from "../terminal/table.ts";
import { withSources } from "./catalog.ts";
import { openEvalModel } from "./eval-model.ts";
import {
  type EvalCommandOptions,
  evalNumbers,
  type EvalNumbers,
  requireSense,
  wholeNumber,
} from "./eval-options.ts";
import { type EvalWorld, withEvalWorld } from "./eval-world.ts";
import { requireWritable, writeReports } from "./eval-outputs.ts";
import { forgetEval, runEval, type RunEvalOptions } from "./run-eval.ts";
import { lostCases, type StressedTrigger, stressSkills } from "./stress.ts";

const MAX_ROWS = 60;
const MAX_MISTAKES = 20;

/** Which skill is selected for what, and who takes whose requests; the last line is the verdict. */
function printTrigger(
  summary: EvalSummary,
  stressed: StressedTrigger | undefined,
  console: Console,
): void {
  const { trigger, verdict } = summary;
  const { width, colors } = console;
  const lines = verdictLines({ summary }, { width, colors });
  if (!console.quiet) {
    console.print(confusionTable(trigger, console));
    console.print("");
    console.print(scoresTable(trigger, console));
    const mistakes = mistakeLines(trigger);
    if (mistakes.length > 0) console.print(["", ...mistakes].join("\n"));
    console.print(`\nselected rightly: ${formatRate(trigger.overall.correct)}`);
    if (stressed !== undefined) console.print(stressText(trigger, stressed));
    for (const note of verdict.notes) console.note(visibleLine(`note: ${note}`));
  }
  console.print(console.quiet ? (lines.at(-1) ?? "") : ["", ...lines].join("\n"));
}

function confusionTable({ confusion }: TriggerSummary, { width, colors }: Console): string {
  const rows = confusion
    .slice(0, MAX_ROWS)
    .map(({ expected, n, selected }) => [
      visibleLine(expected.skill ?? (expected.kind === "none" ? "(no skill)" : "(not said)")),
      String(n),
      selected.map(({ skill, cases }) => `${shown(skill)} ${short(cases)}`).join(", "),
    ]);
  return table(["EXPECTED", "CASES", "SELECTED"], rows, { width, header: colors.bold });
}

function scoresTable({ skills }: TriggerSummary, { width, colors }: Console): string {
  const rows = skills
    .slice(0, MAX_ROWS)
    .map(({ skill, precision, recall, f1 }) => [
      visibleLine(skill),
      f1.value === null ? "–" : f1.value.toFixed(2),
      rateText(precision),
      rateText(recall),
    ]);
  const header = ["SKILL", "F1", "PRECISION", "RECALL"];
  return table(header, rows, { width, header: colors.bold });
}

function rateText({ value, successes, n, low, high }: TriggerSummary["overall"]["recall"]): string {
  if (value === null) return "– of 0";
  const percent = (share: number) => Math.round(share * 100);
  return `${short(successes)}/${short(n)} (${percent(low)}–${percent(high)} %)`;
}

function mistakeLines({ mistakes }: TriggerSummary): string[] {
  const lines = mistakes
    .slice(0, MAX_MISTAKES)
    .map(({ caseId, input, kind, skill, trials, of }) => {
      const what = `${MISTAKES[kind]} ${skill}${often(trials, of)}`;
      return visibleLine(`${caseId}  ${what}: ${quoteLine(input, 80)}`);
    });
  const more = mistakes.length - lines.length;
  return more > 0 ? [...lines, `… and ${more} more`] : lines;
}

const MISTAKES = {
  stolen: "stolen by",
  extra: "also selected",
  unneeded: "needs no skill, selected",
  forbidden: "wrongly selected",
  missed: "missed",
} as const;

function stressText(before: TriggerSummary, { added, trigger, lost }: StressedTrigger): string {
  const lines = lost.slice(0, MAX_MISTAKES).map(({ caseId, skills, trials, of }) => {
    const names = skills.length === 0 ? "no skill" : skills.map(visibleLine).join(", ");
    return `  ${visibleLine(caseId)}  now ${names}${often(trials, of)}`;
  });
  return [
    `\nwith ${added} more skills: ${formatRate(trigger.overall.correct)}`,
    `  precision ${rateText(before.overall.precision)} → ${rateText(trigger.overall.precision)}`,
    `  recall    ${rateText(before.overall.recall)} → ${rateText(trigger.overall.recall)}`,
    ...lines,
    ...(lost.length > lines.length ? [`  … and ${lost.length - lines.length} more`] : []),
  ].join("\n");
}

function often(trials: number, of: number): string {
  return of > 1 ? ` in ${trials} of ${of} trials` : "";
}

function shown(skill: string | undefined): string {
  return skill === undefined ? "(none)" : visibleLine(skill);
}

function short(count: number): string {
  return Number.isInteger(count) ? String(count) : count.toFixed(1);
}

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
  const numbers = evalNumbers(options, console.env);
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
    const exitCode = verdictExitCode(summary.verdict, numbers);
    await writeReports({ results, summary, exitCode }, options, console);
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
    return exitCode;
  });
}

/** Only what a case says about skills; those whose actions are given say nothing about selecting. */
function triggerCases(cases: readonly EvalCase[]): readonly EvalCase[] {
  const some = cases.filter(({ expected, mock }) => expected.skills && mock === undefined);
  if (some.length === 0) {
    throw new CommandFailure(EXIT.missing, "no case says which skills are to be used", {
      hint: "Add cases with `expected.skills`, or convert a trigger set: skillwright eval import. See docs/evals.md.",
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
  const { requestsPerMinute, minimumPassRate, maximumErrorRate } = numbers;
  const model = await openEvalModel(options, { session, console, requestsPerMinute });
  const run = { world, numbers, model, isTriggerOnly: true, ...half };
  const { results } = await runEval(run);
  const summary = summarize(results, {
    ...(minimumPassRate !== undefined && { minimumPassRate }),
    ...(maximumErrorRate !== undefined && { maximumErrorRate }),
  });
  return { results, summary, forget: () => forgetEval(run, results) };
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
