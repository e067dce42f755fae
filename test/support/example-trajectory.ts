import type { Trajectory, TrajectoryStep } from "../../packages/evals/src/index.ts";
import { STEP_ACTIONS, type StepWord } from "../../packages/evals/src/sequence/index.ts";

type ExampleStep =
  | string
  | readonly [string, TrajectoryStep["arguments"], Partial<TrajectoryStep>?];

/** For tests: what was done, written as the constraint language writes it. */
export function exampleTrajectory(
  lines: readonly ExampleStep[],
  more: Partial<Trajectory> = {},
): Trajectory {
  const steps = lines.map((line, place) => exampleStep(line, place));
  const selected = steps.filter(({ action, ok }) => action === "select_skills" && ok);
  return {
    steps,
    skills: [...new Set(selected.flatMap(({ subject }) => subject.split(", ")))],
    answer: "",
    status: "answered",
    usage: {
      turns: steps.length,
      toolCalls: steps.filter(({ action }) => /run|use|load/.test(action)).length,
      scripts: steps.filter(({ action }) => action === "run_script").length,
      inputTokens: 0,
      outputTokens: 0,
      cost: 0,
      timeMs: 0,
    },
    ...more,
  };
}

function exampleStep(line: ExampleStep, place: number): TrajectoryStep {
  const [text, given, more] = typeof line === "string" ? [line, {}] : line;
  const [word = "", ...subject] = text.split(" ");
  return {
    action: STEP_ACTIONS[word as StepWord] ?? word,
    subject: subject.join(" "),
    arguments: given,
    ok: true,
    observation: "",
    turn: place + 1,
    atMs: place,
    ...more,
  };
}
