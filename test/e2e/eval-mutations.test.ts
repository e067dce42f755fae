import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { createSequenceModel, type Model } from "@skillwright/agent";
import { directorySource, openSkills, type SkillTool } from "@skillwright/core";
import {
  type EvalCase,
  type EvalSummary,
  runEvals,
  summarize,
  type TrialPlace,
} from "@skillwright/evals";
import { expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

type Act = Readonly<Record<string, unknown>>;

const pdf = { name: "pdf" };
const select: Act = { action: "select_skills", skills: [pdf] };
const load = (file: string): Act => ({ action: "load_resource", skill: pdf, relative_path: file });
const [first, second] = [load("references/FIRST.md"), load("references/SECOND.md")];
const answer = (text: string): Act => ({ action: "final_answer", answer: text });
const done = answer("The form is filled, 42 fields.");
const poem = answer("Roses are red, 42 of them.");
const remove: Act = { action: "use_tool", tool: "delete_file", input: { path: "form.pdf" } };

/** What an agent does with a request for the skill, and with one that is none of its business. */
interface Agent {
  readonly form: readonly Act[];
  readonly other: readonly Act[];
  /** Milliseconds that it takes to decide. */
  readonly pace?: number;
  readonly crashes?: true;
}

const GOOD: Agent = { form: [select, first, second, done], other: [poem] };

/** Each is broken in one way, and the metrics that must tell. */
const BROKEN: Readonly<Record<string, readonly [agent: Agent, caught: readonly string[]]>> = {
  "does everything right": [GOOD, []],
  "never triggers": [{ ...GOOD, form: [done] }, ["trigger", "sequence"]],
  "always triggers": [{ ...GOOD, other: [select, first, second, poem] }, ["trigger"]],
  "skips the load": [{ ...GOOD, form: [select, done] }, ["sequence"]],
  "loads in the wrong order": [{ ...GOOD, form: [select, second, first, done] }, ["sequence"]],
  "uses a tool that it must not use": [
    { ...GOOD, form: [select, first, second, remove, done] },
    ["cost"],
  ],
  "gives the wrong answer": [
    { ...GOOD, form: [select, first, second, answer("The form is empty.")] },
    ["output"],
  ],
  "is slow": [{ ...GOOD, pace: 60_000 }, ["cost"]],
  crashes: [{ ...GOOD, crashes: true }, ["errors"]],
};

it.each(Object.entries(BROKEN))(
  "E-02 an agent that %s is caught by the right metric and by no other",
  async (_, [agent, caught]) => {
    const summary = await evaluate(agent);
    expect(failing(summary)).toEqual(caught);
    const status = caught.length === 0 ? "pass" : caught[0] === "errors" ? "errors" : "fail";
    expect(summary.verdict.status).toBe(status);
  },
);

function failing({ trigger, sequence, output, cost, verdict }: EvalSummary): string[] {
  const all: Readonly<Record<string, { readonly value: number | null } | undefined>> = {
    trigger: trigger.overall.correct,
    sequence: sequence.arms[0]?.passed,
    output: output.arms[0]?.passed,
    cost: cost.arms[0]?.withinLimits,
  };
  const wrong = Object.entries(all).filter(([, rate]) => (rate?.value ?? 1) < 1);
  const names = wrong.map(([name]) => name);
  return (verdict.arms[0]?.errors ?? 0) > 0 ? [...names, "errors"] : names;
}

async function evaluate(agent: Agent): Promise<EvalSummary> {
  const folder = temporaryFolder({
    "skills/pdf/SKILL.md": skillText("pdf", "Fills PDF forms. Use when a form has to be filled."),
    "skills/pdf/references/FIRST.md": "First this.\n",
    "skills/pdf/references/SECOND.md": "Then that.\n",
    "skills/csv/SKILL.md": skillText("csv", "Profiles tables. Use when a table is given."),
  });
  const work = join(folder, "work");
  mkdirSync(work);
  const root = directorySource(join(folder, "skills"), { label: "project" });
  const skills = await openSkills({ roots: [root] });
  let now = 0;
  const trials = await runEvals({
    cases: CASES,
    arms: [{ arm: { name: "with_skill" }, skillsFor: async () => skills }],
    openModel: (place) => modelOf(agent, place, (milliseconds) => (now += milliseconds)),
    openPolicy: () => ({
      policy: { open: () => ({ executor: NO_SCRIPTS, tools: [DELETE_FILE] }) },
    }),
    concurrency: 1,
    clock: () => now,
    folder: work,
  });
  const setup = {
    model: "broken",
    isDeterministic: true,
    seed: 1,
    trials: 1,
    arms: [{ name: "with_skill" }],
    skills: [],
    casesDigest: "",
    version: "0",
    platform: "test",
  } as const;
  const [startedAt, endedAt] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"];
  return summarize({ schemaVersion: 1, id: "eval", startedAt, endedAt, setup, trials });
}

function modelOf(
  agent: Agent,
  { evalCase }: TrialPlace,
  pass: (milliseconds: number) => void,
): Model {
  const isForm = evalCase.input.includes("form");
  const model = createSequenceModel(isForm ? agent.form : agent.other);
  return {
    ...model,
    async decide(request, context) {
      if (agent.crashes) throw new Error("the agent crashed");
      pass(agent.pace ?? 1);
      return model.decide(request, context);
    },
  };
}

const NO_SCRIPTS = { canRun: () => false, run: async () => ({ ok: false, text: "no" }) };

const DELETE_FILE: SkillTool = {
  name: "delete_file",
  description: "Deletes a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  execute: async () => ({ ok: true }),
  toText: () => "deleted",
};

/** Every metric in every case. */
const CASES: readonly EvalCase[] = [
  caseOf("form-1", "Fill the form for Ada", ["pdf"]),
  caseOf("form-2", "Please fill in this form", ["pdf"]),
  caseOf("poem", "Write a poem about roses", []),
];

function caseOf(id: string, input: string, used: readonly string[]): EvalCase {
  return {
    id,
    title: id,
    input,
    files: [],
    expected: {
      skills: { used, unused: [], only: true },
      sequence: [
        ...(used.includes("pdf") ? ["select pdf before load pdf/references/*"] : []),
        "never load pdf/references/SECOND.md before load pdf/references/FIRST.md",
      ],
      output: [{ type: "contains", value: "42" }],
      statements: [],
    },
    constraints: {
      maxTimeMs: 30_000,
      maxToolCalls: 5,
      forbiddenTools: ["delete_file"],
      requiredTools: [],
    },
    tags: [],
    origin: { file: "/cases.yaml", line: 1, dialect: "skillwright", skill: "pdf" },
  };
}

function skillText(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\n`;
}
