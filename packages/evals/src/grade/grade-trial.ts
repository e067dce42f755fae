import type { EvalCase } from "../cases/eval-case.ts";
import { checkLabel } from "../checks/check-label.ts";
import { checkOutput } from "../checks/check-output.ts";
import type { CheckEnvironment } from "../checks/check-subject.ts";
import { withinTime } from "../checks/within-time.ts";
import { canRunAway, checkSequence } from "../sequence/check-sequence.ts";
import type { Trajectory } from "../trajectory/trajectory.ts";
import { gradeConstraints } from "./grade-constraints.ts";
import { gradeSkills } from "./grade-skills.ts";
import type { Grade } from "./grade.ts";
import type { Judge } from "./judge.ts";

export interface GradeEnvironment extends CheckEnvironment {
  /** Without one, what is said in words stays unjudged. */
  readonly judge?: Judge;
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
  for (const statement of expected.statements) {
    grades.push(
      await guarded("judge", statement, () =>
        gradeStatement(statement, evalCase, trajectory, environment),
      ),
    );
  }
  const evidence = "it is of another client, and nobody can tell what it would say";
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

async function gradeStatement(
  statement: string,
  { input }: EvalCase,
  { answer, steps }: Trajectory,
  { judge, signal }: GradeEnvironment,
): Promise<Grade> {
  const grade = { metric: "judge", text: statement } as const;
  if (judge === undefined) {
    return { ...grade, outcome: "unjudged", score: 0, evidence: "there is no judge" };
  }
  const question = { statement, input, answer, steps, ...(signal && { signal }) };
  const verdict = await judge.judge(question);
  if (!verdict.ok) return failed("judge", statement, `${verdict.code}: ${verdict.message}`);
  const { passed, evidence } = verdict;
  return { ...grade, outcome: passed ? "pass" : "fail", score: passed ? 1 : 0, evidence };
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
