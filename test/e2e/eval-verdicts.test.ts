import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evalWorld } from "../support/eval-world.ts";
import { chatCompletion } from "../support/model-server/chat-completions.ts";
import { type Script, startModelServer } from "../support/model-server/model-server.ts";
import type { ScriptedAnswer } from "../support/model-server/scripted-answer.ts";

const CASES = ".agent/evals/cases.yaml";
const none = (id: string) =>
  `  - id: ${id}\n    input: Write a poem about ${id}\n    expected: { skills: [] }\n`;
const USAGE = { fresh: 1000, cacheRead: 0, cacheWrite: 0, output: 1000 };
const POEM: ScriptedAnswer = { text: "Roses are red.", usage: USAGE };
const CSV_FIRST: ScriptedAnswer = {
  calls: [{ id: "c", name: "select_skills", input: { skills: [{ name: "csv" }] } }],
  usage: USAGE,
};

/** A project with cases in which no skill is right, and a model that the test plays. */
async function liveWorld(...ids: string[]) {
  const server = await startModelServer();
  const params = { model: "test", baseUrl: `${server.url}/v1` };
  const prices = { "openai-compatible:test": { input: 100, output: 100 } };
  const config = JSON.stringify({ model: { provider: "openai-compatible", params, prices } });
  const cases = `cases:\n${ids.map(none).join("")}`;
  const world = evalWorld({ [CASES]: cases, "user.json": config });
  const live = ["--config", "user.json", "--model", "openai-compatible:test", "--jobs", "1"];
  const evaluate = (...args: readonly string[]) => world.evaluate(CASES, ...live, ...args);
  const answer = (...answers: ScriptedAnswer[]) =>
    server.answer(...answers.map((one) => chatCompletion(one)));
  return { ...world, server, evaluate, answer };
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");
const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";

describe("E-05 what a provider does not answer is an error", () => {
  it.each<[string, ScriptedAnswer]>([
    ["a filter", { text: "", finish: "content_filter", usage: USAGE }],
    ["truncation", { text: "", finish: "length", usage: USAGE }],
    ["an empty answer", { text: "", usage: USAGE }],
  ])("%s", async (_, nothing) => {
    const { evaluate, answer } = await liveWorld("roses");
    answer(nothing);
    const { exitCode, stdout } = await evaluate("--junit", "r.xml");
    expect([exitCode, lastLine(stdout).slice(0, 8)]).toEqual([4, "! ERRORS"]);
    expect(oneLine(stdout)).toContain(
      "no-decision in cases/roses: the model made no valid decision",
    );
  });

  it("few of them leave doubt, which fails in CI; more than are tolerated end with 4", async () => {
    const { evaluate, answer, call, project } = await liveWorld("roses", "tulips");
    const nothing = { text: "", usage: USAGE };
    const script = [...Array.from({ length: 4 }, () => nothing), POEM];
    answer(...script);
    expect((await evaluate("--save", "some.json")).exitCode).toBe(4);
    answer(...script);
    const doubt = await evaluate("--max-errors", "0.5", "--junit", "r.xml");
    expect([doubt.exitCode, lastLine(doubt.stdout)]).toEqual([
      0,
      expect.stringMatching(/INCONCLUSIVE/),
    ]);
    const junit = () => readFileSync(join(project, "r.xml"), "utf8");
    expect(junit()).toMatch(/^<testsuites [^>]*failures="0" errors="0" skipped="1"/m);
    answer(...script);
    const strict = await evaluate("--max-errors", "0.5", "--strict", "--junit", "r.xml");
    expect(strict.exitCode).toBe(1);
    expect(junit()).toMatch(/^<testsuites [^>]*failures="1" errors="1"/m);
    const report = ["eval", "compare", "some.json", "some.json", "--max-errors", "0.5"];
    expect((await call(report)).exitCode).toBe(0);
    expect((await call(report, { CI: "true" })).exitCode).toBe(1);
    expect((await call([...report, "--no-strict"], { CI: "true" })).exitCode).toBe(0);
  });
});

describe("E-05 what is not prepared never passes", () => {
  it("a script without its interpreter is an error, whatever is answered", async () => {
    const { evaluate, write } = evalWorld({
      ".agent/skills/pdf/scripts/fill.py": "print('filled')\n",
      ".agent/evals/cases.yaml": `cases:
  - input: Fill the form
    expected: { output: [{ type: contains, value: Done }] }
    mock:
      actions:
        - { action: select_skills, skills: [{ name: pdf }] }
        - { action: run_script, skill: pdf, script: scripts/fill.py, args: [] }
        - { action: final_answer, answer: Done. }
`,
    });
    write("user.json", JSON.stringify({ execution: { virtualEnvironment: "/nowhere/venv" } }));
    const { exitCode, stdout } = await evaluate("--config", "user.json", "--yes=run_script");
    expect([exitCode, lastLine(stdout).slice(0, 8)]).toEqual([4, "! ERRORS"]);
    expect(oneLine(stdout)).toContain("interpreter-missing");
  });

  it("commands that an imported case needs leave it unjudged", async () => {
    const { call, evaluate, write } = evalWorld();
    write(
      "vally.yaml",
      `name: suite
environment: { commands: [apt-get install poppler-utils] }
stimuli:
  - name: hello
    prompt: Write a poem about roses
    graders: [{ type: output-contains, config: { substring: poem } }]
`,
    );
    const imported = await call(["eval", "import", "vally.yaml", "--out", "cases.yaml"]);
    expect([imported.exitCode, imported.stdout]).toEqual([
      0,
      expect.stringContaining("environment.commands is not prepared"),
    ]);
    const { exitCode, stdout } = await evaluate("cases.yaml");
    expect(exitCode).toBeGreaterThan(0);
    expect(stdout).not.toContain("PASS");
  });

  it("nor does a case of evals.json with such a field", async () => {
    const { evaluate, write } = evalWorld();
    const environment = { commands: ["make"] };
    const one = { id: 1, prompt: "Write a poem about roses", should_trigger: false, environment };
    write(
      ".agent/skills/pdf/evals/evals.json",
      JSON.stringify({ skill_name: "pdf", evals: [one] }),
    );
    const { exitCode, stdout } = await evaluate(".agent/skills/pdf/evals/evals.json");
    expect([exitCode, lastLine(stdout).slice(0, 9)]).toEqual([4, "– NO-DATA"]);
  });
});

describe("E-06 cases that look worse", () => {
  it("are tried again before a verdict, on the new version only", async () => {
    const ids = ["roses", "tulips", "lilies"];
    const { evaluate, answer, server } = await liveWorld(...ids);
    answer(POEM);
    const before = await evaluate("--trials", "5", "--save", "before.json");
    expect(before.exitCode).toBe(0);
    expect(oneLine(before.stdout)).toContain("Decided by openai-compatible:test.");
    // One request goes to a skill from now on, and the first time another one as well.
    const trials = ids.flatMap((id) => Array.from({ length: 5 }, (_, i) => `${id} ${i}`));
    const worse = trials.flatMap((trial) =>
      trial.startsWith("roses") ? [CSV_FIRST, POEM] : [POEM],
    );
    answer(
      ...worse,
      CSV_FIRST,
      POEM,
      CSV_FIRST,
      POEM,
      CSV_FIRST,
      POEM,
      CSV_FIRST,
      POEM,
      CSV_FIRST,
      POEM,
      POEM,
    );
    const asked = server.requests.length;
    const { exitCode, stdout, stderr } = await evaluate(
      "--trials",
      "5",
      "--baseline",
      "before.json",
    );
    expect(server.requests.length - asked).toBeGreaterThan(20 + 5);
    expect(stderr).toContain("Trying 1 case again that may have got worse.");
    expect([exitCode, lastLine(stdout).slice(0, 12), oneLine(stdout)]).toEqual([
      1,
      "✗ REGRESSION",
      expect.stringContaining("1 of 3 cases got worse: cases/roses (5/5, now 0/10)."),
    ]);
    expect(oneLine(stdout)).toContain("Tried again only on the new version");
  });
});

describe("E-06 further trials of cases that look worse", () => {
  const ids = ["roses", "tulips", "lilies"];
  const PLANNED = 9;

  /** With a baseline in which all pass; from now on one request always goes to a skill. */
  async function worseWorld() {
    const world = await liveWorld(...ids);
    const { answer, evaluate } = world;
    answer(POEM);
    await evaluate("--trials", "3", "--save", "before.json");
    const roses = Array.from({ length: 3 }, () => [CSV_FIRST, POEM]).flat();
    const others = Array.from({ length: 6 }, () => POEM);
    const again = Array.from({ length: 20 }, () => [CSV_FIRST, POEM]).flat();
    const script = [...roses, ...others, ...again].map((one) => chatCompletion(one));
    const compare = (...args: readonly string[]) =>
      evaluate("--trials", "3", "--baseline", "before.json", "--junit", "r.xml", ...args);
    const junit = () => readFileSync(join(world.project, "r.xml"), "utf8");
    return { ...world, script, compare, junit };
  }

  it("draw on the budget of the whole eval, and --resume pays for the rest only", async () => {
    const { server, script, compare, junit } = await worseWorld();
    server.answer(...script);
    const before = server.requests.length;
    // 3 trials for 40 cents, 6 for 20, and 1 of the further trials.
    const cut = await compare("--budget-cost", "2.7");
    const asked = server.requests.length;
    expect(asked - before).toBe(3 * 2 + 6 + 2);
    expect([cut.exitCode, lastLine(cut.stdout)]).toEqual([
      4,
      expect.stringMatching(/^\? INCONCLUSIVE {2}1 case that may have got worse was not/),
    ]);
    expect(oneLine(cut.stdout)).toContain("--budget-cost ran out.");
    expect(junit()).toMatch(/^<testsuites [^>]*errors="1"/m);
    const rest = await compare("--budget-cost", "99", "--resume");
    expect(rest.stderr).toContain(`Going on: ${PLANNED} of ${PLANNED} trials are done already.`);
    expect([rest.exitCode, oneLine(rest.stdout)]).toEqual([
      1,
      expect.stringContaining("cases/roses (3/3, now 0/13)"),
    ]);
    expect(server.requests.length - asked).toBe(9 * 2);
    expect((await compare("--budget-cost", "0.1", "--resume")).stderr).toContain(
      "Nothing to go on",
    );
  });

  it("Ctrl-C ends them with a verdict that says so", async () => {
    const { server, script, compare } = await worseWorld();
    const at = PLANNED + 3;
    server.answer(
      ...script.map((reply, place): Script => (request) => {
        if (place === at) process.emit("SIGINT");
        return typeof reply === "function" ? reply(request) : reply;
      }),
    );
    const cut = await compare("--strict");
    expect([cut.exitCode, lastLine(cut.stdout).slice(0, 14)]).toEqual([130, "? INCONCLUSIVE"]);
    expect(oneLine(cut.stdout)).toContain(
      "1 case that may have got worse was not tried again to the end: it was interrupted.",
    );
    const asked = server.requests.length;
    const rest = await compare("--resume");
    expect(rest.exitCode).toBe(1);
    expect(server.requests.length - asked).toBe(9 * 2);
  });
});

describe("E-06 budgets and going on", () => {
  it("no trial begins beyond the budget of the whole eval, and --resume goes on", async () => {
    const { evaluate, answer, server } = await liveWorld("roses", "tulips", "lilies");
    answer(POEM);
    // Each trial costs 20 cents.
    const cut = await evaluate("--budget-cost", "0.3");
    expect([cut.exitCode, cut.stderr]).toEqual([
      4,
      expect.stringContaining("--budget-cost ran out after 2 of 3 trials"),
    ]);
    expect(server.requests).toHaveLength(2);
    const more = ["--budget-cost", "9", "--resume", "--rate", "1000", "--timeout", "30s"];
    const rest = await evaluate(...more, "--margin", "0.1");
    expect([rest.exitCode, rest.stderr]).toEqual([0, expect.stringContaining("Going on: 2 of 3")]);
    expect(server.requests).toHaveLength(3);
    const anew = await evaluate("--resume");
    expect(anew.stderr).toContain("Nothing to go on with");
  });

  it("--budget-time counts what the interrupted run used", async () => {
    const { evaluate, answer, server } = await liveWorld("roses", "tulips", "lilies");
    answer(POEM);
    await evaluate("--budget-cost", "0.3");
    const spent = await evaluate("--budget-time", "0.001", "--resume");
    expect([spent.exitCode, spent.stderr]).toEqual([
      4,
      expect.stringContaining("--budget-time ran out after 2 of 3 trials"),
    ]);
    expect(server.requests).toHaveLength(2);
    expect((await evaluate("--budget-time", "30m", "--resume")).exitCode).toBe(0);
    expect(server.requests).toHaveLength(3);
  });

  it("--trials 1 counts against more trials in the file", async () => {
    const { json, write } = evalWorld();
    write(CASES, `cases:\n${none("roses")}    trials: 3\n`);
    expect((await json(CASES)).answer.verdict.arms[0]?.trials).toBe(3);
    expect((await json(CASES, "--trials", "1")).answer.verdict.arms[0]?.trials).toBe(1);
  });
});
