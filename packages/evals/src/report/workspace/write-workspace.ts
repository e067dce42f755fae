import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EvalResults, TrialResult } from "../../results/eval-results.ts";
import { benchmarkOf, evalNumbers } from "./benchmark.ts";
import { gradingOf, timingOf } from "./grading.ts";

export async function writeWorkspace(folder: string, results: EvalResults): Promise<string[]> {
  const skills = new Set(results.trials.map(skillOf));
  const made: string[] = [];
  for (const skill of skills) {
    const trials = results.trials.filter((trial) => skillOf(trial) === skill);
    const iteration = await nextIteration(join(folder, `${fileName(skill)}-workspace`));
    const numbers = evalNumbers(trials);
    for (const trial of trials) await writeTrial(iteration, trial, numbers);
    await writeJson(join(iteration, "benchmark.json"), benchmarkOf(results, skill, trials));
    made.push(iteration);
  }
  return made;
}

function skillOf({ origin }: TrialResult): string {
  return origin.skill ?? "evals";
}

async function nextIteration(workspace: string): Promise<string> {
  await mkdir(workspace, { recursive: true });
  const numbers = (await readdir(workspace)).map((name) =>
    Number(/^iteration-(\d+)$/.exec(name)?.[1]),
  );
  const last = Math.max(0, ...numbers.filter(Number.isSafeInteger));
  const iteration = join(workspace, `iteration-${last + 1}`);
  await mkdir(iteration);
  return iteration;
}

async function writeTrial(
  iteration: string,
  trial: TrialResult,
  numbers: ReadonlyMap<string, number>,
): Promise<void> {
  const number = numbers.get(trial.caseId) ?? 0;
  const evalFolder = join(iteration, `eval-${number}`);
  const folder = join(evalFolder, trial.arm, `run-${trial.trial}`);
  await mkdir(join(folder, "outputs"), { recursive: true });
  await writeFile(join(folder, "outputs", "answer.md"), `${trial.answer}\n`);
  await writeJson(join(folder, "grading.json"), gradingOf(trial));
  await writeJson(join(folder, "timing.json"), timingOf(trial));
  await writeJson(join(evalFolder, "eval_metadata.json"), {
    eval_id: number,
    eval_name: trial.title,
    prompt: trial.input,
    assertions: trial.grades.map(({ text }) => text),
  });
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** A name of one folder, whatever the skill is called. */
function fileName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 80) || "skill";
}
