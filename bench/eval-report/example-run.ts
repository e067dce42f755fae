import type { Arm, EvalResults, TrialResult } from "@skillwright/evals";

interface ExampleOptions {
  readonly cases: number;
  readonly arms?: readonly Arm["name"][];
  readonly trials?: number;
  readonly seed?: number;
  /** How often the tested arm does the right thing. */
  readonly quality?: number;
  readonly isDeterministic?: boolean;
}

type Random = () => number;

const SKILLS = ["pdf-processing", "tabular-data", "unit-convert", "report-writer", "text-compare"];

const REQUESTS: Readonly<Record<string, readonly string[]>> = {
  "pdf-processing": ["Merge the two contracts into one PDF", "Fill the tax form with my data"],
  "tabular-data": [
    "Which region sold most in sales.csv?",
    "Clean up the dates in this spreadsheet",
  ],
  "unit-convert": ["How many litres are 3 gallons?", "Convert 72 °F for the lab report"],
  "report-writer": [
    "Write the weekly report from these notes",
    "Summarise the incident for the board",
  ],
  "text-compare": [
    "What changed between the two drafts?",
    "Show me the differences in the licence",
  ],
  none: ["What is the capital of Portugal?", "Thank you, that is all"],
};

/** For tests, screenshots and benchmarks of reports: a run as an eval with a model gives it. */
export function exampleRun(options: ExampleOptions): EvalResults {
  const { cases, arms = ["with_skill", "without_skill"], trials = 1, seed = 7 } = options;
  const { quality = 0.86, isDeterministic = false } = options;
  const random = createRandom(seed);
  const results: TrialResult[] = [];
  for (let at = 0; at < cases; at++) {
    for (let trial = 1; trial <= trials; trial++) {
      for (const arm of arms) results.push(exampleTrial({ at, arm, trial, quality, random }));
    }
  }
  return {
    schemaVersion: 1,
    id: `eval-2026-03-14-${seed}`,
    startedAt: "2026-03-14T09:12:00.000Z",
    endedAt: "2026-03-14T09:20:31.000Z",
    setup: {
      model: "example:small-1",
      isDeterministic,
      seed,
      trials,
      arms: arms.map((name) => ({ name })),
      skills: SKILLS.map((name, at) => ({ name, digest: digestOf(at + 1) })),
      casesDigest: digestOf(99),
      version: "0.1.0",
      platform: "linux x64, Node 20.20.0",
    },
    trials: results,
  };
}

interface TrialOptions {
  readonly at: number;
  readonly arm: Arm["name"];
  readonly trial: number;
  readonly quality: number;
  readonly random: Random;
}

function exampleTrial({ at, arm, trial, quality, random }: TrialOptions): TrialResult {
  const topics = [...SKILLS, "none"];
  const topic = topics[at % topics.length] ?? "none";
  const requests = REQUESTS[topic] ?? [""];
  const request = requests[Math.floor(at / topics.length) % requests.length] ?? "";
  const hasSkill = arm !== "without_skill";
  const isGood = random() < (hasSkill ? quality : 0.45);
  const isError = random() < 0.012;
  const used =
    hasSkill && topic !== "none"
      ? isGood || random() < 0.4
        ? topic
        : wrongSkill(at, random)
      : undefined;
  const skills = used === undefined ? [] : [used];
  const steps = stepsOf(used, isGood, random);
  const expected = topic === "none" ? [] : [topic];
  const isSelected = expected.join() === skills.join();
  const base = {
    caseId: `${topic}/${at + 1}`,
    title: `${request.slice(0, 48)} (${at + 1})`,
    input: `${request}\nThe files are in the folder "input-${at + 1}".`,
    origin: {
      file: `/work/skills/${topic}/evals/cases.yaml`,
      line: at * 9 + 3,
      dialect: "skillwright",
      skill: topic,
    } as const,
    arm,
    trial,
    expectedSkills: { used: expected, unused: [], only: true },
    isMock: false,
    tags: at % 4 === 0 ? ["near-miss"] : [],
    skills,
    steps,
    usage: usageOf(steps.length, hasSkill, random),
    catalogTokens: 412,
    activationTokens: 0,
    runId: `run-${at + 1}-${arm}-${trial}`,
  };
  if (isError) {
    const error = { code: "timed-out", message: "no answer within 60 s" };
    return { ...base, outcome: "error", error, grades: [], answer: "", status: "timed-out" };
  }
  const answer = isGood
    ? `Done. The result is in out-${at + 1}.txt: 42 rows, 3 columns.`
    : "I could not find the file that you mean.";
  const grades: TrialResult["grades"] = [
    {
      metric: "trigger",
      text: topic === "none" ? "no skill is selected" : `${topic} is selected`,
      outcome: isSelected ? "pass" : "fail",
      score: isSelected ? 1 : 0,
      evidence: `selected: ${skills.join(", ") || "none"}`,
    },
    {
      metric: "sequence",
      text: "select then run within 3",
      outcome: isGood ? "pass" : "fail",
      score: isGood ? 1 : 0.5,
      evidence: isGood
        ? ""
        : `  expected         | done\n= select ${topic} | 1. select ${topic}\n- run ${topic}/scripts/main.py |`,
    },
    {
      metric: "output",
      text: 'the answer contains "Done"',
      outcome: isGood ? "pass" : "fail",
      score: isGood ? 1 : 0,
      evidence: answer,
    },
    {
      metric: "output",
      text: "the answer is not empty",
      outcome: "pass",
      score: 1,
      evidence: `${answer.length} characters`,
    },
  ];
  const outcome = grades.every((grade) => grade.outcome === "pass") ? "pass" : "fail";
  return { ...base, outcome, grades, answer, status: "answered" };
}

function stepsOf(skill: string | undefined, isGood: boolean, random: Random): TrialResult["steps"] {
  const steps: TrialResult["steps"][number][] = [];
  let atMs = 0;
  const add = (action: string, subject: string, given: Record<string, unknown>, ok = true) => {
    atMs += 120 + Math.floor(random() * 900);
    const observation = ok
      ? `ok: ${subject}\n${"line of the output that came back, with some detail\n".repeat(6)}`
      : "exit code 1: no such file";
    steps.push({
      action,
      subject,
      arguments: given,
      ok,
      observation,
      turn: steps.length + 1,
      atMs,
    });
  };
  if (skill !== undefined) add("select_skills", skill, { skills: [{ name: skill }] });
  add("use_tool", "list_directory", { path: "." });
  if (skill !== undefined && random() < 0.6)
    add("load_resource", `${skill}/references/GUIDE.md`, { path: "references/GUIDE.md" });
  add("use_tool", "read_file", { path: `input-${Math.floor(random() * 9)}.txt` });
  if (skill !== undefined)
    add("run_script", `${skill}/scripts/main.py`, { args: ["--in", "input.txt"] }, isGood);
  add("final_answer", "", {});
  return steps;
}

function usageOf(steps: number, hasSkill: boolean, random: Random): TrialResult["usage"] {
  const tail = random() < 0.06 ? 4 : 1;
  return {
    turns: steps,
    toolCalls: steps - 1,
    scripts: hasSkill ? 1 : 0,
    inputTokens: Math.round((hasSkill ? 2600 : 1500) * (0.7 + random() * 0.6) * tail),
    outputTokens: Math.round(180 + random() * 220),
    cost: 0,
    timeMs: Math.round((steps * 620 + random() * 1500) * tail),
  };
}

function wrongSkill(at: number, random: Random): string | undefined {
  return random() < 0.3 ? undefined : SKILLS[(at + 1 + Math.floor(random() * 2)) % SKILLS.length];
}

function digestOf(number: number): string {
  return `sha256:${(number * 7_919_777).toString(16).padStart(8, "0").repeat(8)}`;
}

function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
