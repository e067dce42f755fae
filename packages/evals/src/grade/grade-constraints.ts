import { toolName } from "@skillwright/runtime";
import type { CaseConstraints } from "../cases/eval-case.ts";
import { stepList, subjectsOf } from "../sequence/match-steps.ts";
import type { Trajectory, TrajectoryStep, TrajectoryUsage } from "../trajectory/trajectory.ts";
import type { Grade } from "./grade.ts";

type Limit = readonly [
  constraint: Exclude<keyof CaseConstraints, "forbiddenTools" | "requiredTools">,
  unit: string,
  used: (usage: TrajectoryUsage) => number,
];

const LIMITS: readonly Limit[] = [
  ["maxTurns", "turns", ({ turns }) => turns],
  ["maxToolCalls", "tool calls", ({ toolCalls }) => toolCalls],
  ["maxScripts", "scripts", ({ scripts }) => scripts],
  ["maxTokens", "tokens", ({ inputTokens, outputTokens }) => inputTokens + outputTokens],
  ["maxTimeMs", "ms", ({ timeMs }) => timeMs],
  ["maxCost", "US dollars", ({ cost }) => cost],
];

/** What it may take, and which tools. An attempt at a forbidden tool counts, a required one has to work. */
export function gradeConstraints(
  constraints: CaseConstraints,
  { steps, usage }: Trajectory,
): Grade[] {
  const limits = LIMITS.flatMap(([constraint, unit, used]) => {
    const most = constraints[constraint];
    return most === undefined ? [] : [gradeLimit(most, unit, used(usage))];
  });
  const required = constraints.requiredTools.map((tool) =>
    gradeRequired(
      tool,
      steps,
      placesOf(tool, steps).filter((place) => steps[place]?.ok),
    ),
  );
  const forbidden = constraints.forbiddenTools.map((tool) =>
    gradeForbidden(tool, steps, placesOf(tool, steps)),
  );
  return [...limits, ...required, ...forbidden];
}

function gradeLimit(most: number, unit: string, used: number): Grade {
  const passed = used <= most;
  const score = passed ? 1 : most / used;
  return grade(`at most ${most} ${unit}`, passed, score, `${used} ${unit}`);
}

function gradeRequired(
  tool: string,
  steps: readonly TrajectoryStep[],
  places: readonly number[],
): Grade {
  const passed = places.length > 0;
  const evidence = passed ? stepList(steps, places) : "it was not used";
  return grade(`${tool} is used`, passed, passed ? 1 : 0, evidence);
}

function gradeForbidden(
  tool: string,
  steps: readonly TrajectoryStep[],
  places: readonly number[],
): Grade {
  const passed = places.length === 0;
  const evidence = passed ? "it was not used" : stepList(steps, places);
  return grade(`${tool} is not used`, passed, passed ? 1 : 0, evidence);
}

function grade(text: string, passed: boolean, score: number, evidence: string): Grade {
  return { metric: "cost", text, outcome: passed ? "pass" : "fail", score, evidence };
}

function placesOf(tool: string, steps: readonly TrajectoryStep[]): number[] {
  return steps.flatMap((step, place) => (isCalled(tool, step) ? [place] : []));
}

/** By the name of the action, of the tool – as any client calls it – or `action:subject`. */
function isCalled(tool: string, step: TrajectoryStep): boolean {
  const { action } = step;
  const subjects = subjectsOf(step).flat();
  const names = [action, ...subjects.map((subject) => `${action}:${subject}`)];
  const tools = action === "use_tool" ? subjects.flatMap((one) => [one, toolName(one)]) : [];
  // A shell runs commands and scripts alike.
  const asked =
    tool.toLowerCase() === "bash" ? ["run_command", "run_script"] : [tool, toolName(tool)];
  return asked.some((name) => [...names, ...tools].some((one) => matches(name, one)));
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
