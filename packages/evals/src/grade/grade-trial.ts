import { toolName } from "@skillwright/runtime/internal";
import type { CaseConstraints, EvalCase, ExpectedSkills } from "../cases/eval-case.ts";
import { checkLabel } from "../checks/check-label.ts";
import { checkOutput } from "../checks/check-output.ts";
import { type MadeFiles, madeFiles } from "../checks/trial-files.ts";
import { type CheckEnvironment, withinTime } from "../checks/check-verdict.ts";
import { canRunAway, checkSequence } from "../sequence/check-sequence.ts";
import { stepList, subjectsOf } from "../sequence/match-steps.ts";
import type { Trajectory, TrajectoryStep, TrajectoryUsage } from "../trajectory/trajectory.ts";
import type { Grade } from "./grade.ts";
import type { Judge } from "./judge.ts";

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
function gradeConstraints(constraints: CaseConstraints, { steps, usage }: Trajectory): Grade[] {
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
  return costGrade(`at most ${most} ${unit}`, passed, score, `${used} ${unit}`);
}

function gradeRequired(
  tool: string,
  steps: readonly TrajectoryStep[],
  places: readonly number[],
): Grade {
  const passed = places.length > 0;
  const evidence = passed ? stepList(steps, places) : "it was not used";
  return costGrade(`${tool} is used`, passed, passed ? 1 : 0, evidence);
}

function gradeForbidden(
  tool: string,
  steps: readonly TrajectoryStep[],
  places: readonly number[],
): Grade {
  const passed = places.length === 0;
  const evidence = passed ? "it was not used" : stepList(steps, places);
  return costGrade(`${tool} is not used`, passed, passed ? 1 : 0, evidence);
}

function costGrade(text: string, passed: boolean, score: number, evidence: string): Grade {
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

/** Whether the right skills were used, and no wrong ones. Names in any case, as they are found. */
export function gradeSkills(expected: ExpectedSkills, skills: readonly string[]): Grade[] {
  const { used, unused, only } = expected;
  const fold = (name: string) => name.toLowerCase();
  const isUsed = (name: string) => skills.some((one) => fold(one) === fold(name));
  const evidence = skills.length === 0 ? "no skill was used" : `used: ${skills.join(", ")}`;
  const wanted = used.map((name) =>
    skillGrade(`the skill ${name} is used`, isUsed(name), evidence),
  );
  const unwanted = unused.map((name) =>
    skillGrade(`the skill ${name} is not used`, !isUsed(name), evidence),
  );
  if (!only) return [...wanted, ...unwanted];
  const others = skills.filter((one) => !used.some((name) => fold(name) === fold(one)));
  const text = used.length === 0 ? "no skill is used" : "no other skill is used";
  return [...wanted, ...unwanted, skillGrade(text, others.length === 0, evidence)];
}

function skillGrade(text: string, passed: boolean, evidence: string): Grade {
  return {
    metric: "trigger",
    text,
    outcome: passed ? "pass" : "fail",
    score: passed ? 1 : 0,
    evidence,
  };
}

export interface GradeEnvironment extends CheckEnvironment {
  /** Without one, what is said in words stays unjudged. */
  readonly judge?: Judge;
  /** Stops the clock of the grading until the function that it gives is called. */
  readonly pause?: () => () => void;
}

export async function gradeTrial(
  evalCase: EvalCase,
  trajectory: Trajectory,
  environment: GradeEnvironment,
): Promise<readonly Grade[]> {
  const { expected, constraints } = evalCase;
  const grades: Grade[] = [];
  if (expected.skills !== undefined) {
    grades.push(...gradeSkills(expected.skills, trajectory.skills));
  }
  grades.push(...expected.sequence.map((line) => gradeSequence(line, trajectory)));
  for (const check of expected.output) {
    grades.push(
      await guarded("output", checkLabel(check), async (text) => {
        const verdict = await checkOutput(check, { evalCase, trajectory, environment });
        if (verdict.kind === "undecided") return failed("output", text, verdict.evidence);
        const { passed, score, evidence } = verdict;
        return { metric: "output", text, outcome: passed ? "pass" : "fail", score, evidence };
      }),
    );
  }
  grades.push(...gradeConstraints(constraints, trajectory));
  grades.push(...(await gradeStatements(evalCase, trajectory, environment)));
  const evidence = "it cannot be checked here";
  for (const { text } of expected.unsupported ?? []) {
    grades.push({ metric: "output", text, outcome: "unjudged", score: 0, evidence });
  }
  return grades;
}

function gradeSequence(text: string, trajectory: Trajectory): Grade {
  const look = () => checkSequence(text, trajectory.steps);
  // Starting the clock takes longer than looking at the steps.
  const timed = canRunAway(text) ? withinTime(look) : { ok: true as const, value: look() };
  if (!timed.ok) return failed("sequence", text, timed.message);
  const check = timed.value;
  if (!check.ok) return failed("sequence", text, check.message);
  const { passed, score, evidence } = check;
  return { metric: "sequence", text, outcome: passed ? "pass" : "fail", score, evidence };
}

/** The judge sees the request, the steps, the answer and the files; the directory is read once for all statements. */
async function gradeStatements(
  { input, files: given, expected: { statements } }: EvalCase,
  { answer, steps }: Trajectory,
  { judge, directory, signal, pause }: GradeEnvironment,
): Promise<Grade[]> {
  const grades: Grade[] = [];
  let files: MadeFiles | undefined;
  for (const statement of statements) {
    const grade = { metric: "judge", text: statement } as const;
    if (judge === undefined) {
      grades.push({ ...grade, outcome: "unjudged", score: 0, evidence: "there is no judge" });
      continue;
    }
    grades.push(
      await guarded("judge", statement, async () => {
        if (directory !== undefined) files ??= await madeFiles(directory, given);
        const verdict = await judge.judge({
          statement,
          input,
          answer,
          steps,
          ...(files && { files }),
          ...(signal && { signal }),
          ...(pause && { pause }),
        });
        if (!verdict.ok) return failed("judge", statement, `${verdict.code}: ${verdict.message}`);
        const { passed, evidence } = verdict;
        return { ...grade, outcome: passed ? "pass" : "fail", score: passed ? 1 : 0, evidence };
      }),
    );
  }
  return grades;
}

/** What a port throws says nothing about the skill. */
async function guarded(
  metric: Grade["metric"],
  text: string,
  look: (text: string) => Promise<Grade>,
): Promise<Grade> {
  try {
    return await look(text);
  } catch (error) {
    return failed(metric, text, error instanceof Error ? error.message : String(error));
  }
}

function failed(metric: Grade["metric"], text: string, evidence: string): Grade {
  return { metric, text, outcome: "error", score: 0, evidence };
}
