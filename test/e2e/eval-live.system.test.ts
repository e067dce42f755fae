import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { builtEval } from "../support/built-eval.ts";
import { CSV } from "../support/eval-world.ts";
import { KEY, liveEval } from "../support/live-eval.ts";
import { agentAndJudge, contentOf, verdict } from "../support/model-server/agent-and-judge.ts";
import type { Reply } from "../support/model-server/model-server.ts";
import { skillText } from "../support/skill-tree.ts";

const FILE = ".agent/evals/cases.yaml";
const SKILL = ".agent/skills/csv/SKILL.md";

const casesOf = (...names: readonly string[]) =>
  `cases:\n${names
    .map(
      (name) =>
        `  - id: ${name}\n    input: Profile the ${name} table\n    expected: { skills: [csv], output: [{ type: contains, value: columns }] }\n`,
    )
    .join("")}`;
const answering = agentAndJudge({
  agent: (text) => `${text.length > 0 ? "Three" : "No"} columns.`,
});
const brief = ({ trials }: ReturnType<ReturnType<typeof builtEval>["saved"]>) =>
  trials.map(({ caseId, outcome, answer, skills, steps, grades }) => ({
    caseId,
    outcome,
    answer,
    skills,
    steps: steps.map((step) => ({ ...step, atMs: 0 })),
    grades,
  }));

describe("eval with a live model", () => {
  it("E-03 what was recorded is replayed elsewhere, without key, network or server", async () => {
    const { server, live, key, run, saved, project, allText, leftOver } = await liveEval({
      [FILE]: casesOf("red", "blue"),
    });
    server.answer(answering);
    const record = ["--record", "tapes", "--trials", "2", "--save", "now.json"];
    const first = await run([...live, ...record], key);
    expect([first.exitCode, first.stderr]).toEqual([0, "Saved now.json.\n"]);
    expect(server.requests).toHaveLength(8);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
    const elsewhere = builtEval({ [FILE]: casesOf("red", "blue") });
    cpSync(join(project, "tapes"), join(elsewhere.project, "tapes"), { recursive: true });
    const replay = ["--replay", "tapes", "--trials", "2", "--save", "now.json"];
    const again = await elsewhere.run(replay);
    expect([again.exitCode, again.stderr]).toEqual([0, "Saved now.json.\n"]);
    expect(brief(elsewhere.saved("now.json"))).toEqual(brief(saved("now.json")));
    expect(server.requests).toHaveLength(8);
    const everything = [first.stdout, again.stdout, ...allText(), ...elsewhere.allText()];
    expect(everything.filter((text) => text.includes(KEY))).toEqual([]);
    expect([...leftOver(), ...elsewhere.leftOver()]).toEqual([]);
  });

  it("E-03 a changed skill, another request, a lost or damaged cassette: an error and 4", async () => {
    const { server, live, key, run, saved, project, write } = await liveEval({
      [FILE]: casesOf("red"),
    });
    server.answer(answering);
    await run([...live, "--record", "tapes"], key);
    const { length } = server.requests;
    const replayed = async () => {
      const { exitCode, stdout, stderr } = await run(["--replay", "tapes", "--save", "now.json"]);
      const [{ outcome, error } = {}] = saved("now.json").trials;
      return { exitCode, outcome, message: error?.message, said: stdout + stderr };
    };
    const loud = { exitCode: 4, outcome: "error" };
    const missing = { ...loud, message: expect.stringContaining("there is no recorded answer") };
    const kept = readFileSync(join(project, SKILL), "utf8");
    write(SKILL, `${skillText("csv", CSV)}\nOther words.\n`);
    const stale = await replayed();
    expect(stale).toMatchObject(missing);
    expect(stale.said).toContain("there is no recorded answer");
    write(SKILL, kept);
    expect(await replayed()).toMatchObject({ exitCode: 0, outcome: "pass" });
    write(FILE, casesOf("green"));
    expect(await replayed()).toMatchObject(missing);
    write(FILE, casesOf("red"));
    for (const name of readdirSync(join(project, "tapes"))) {
      if (name !== "model.json") writeFileSync(join(project, "tapes", name), "{");
    }
    expect(await replayed()).toMatchObject({
      ...loud,
      message: expect.stringContaining("is not a recording of this request"),
    });
    expect(server.requests).toHaveLength(length);
  });

  it("E-03 a folder without cassettes is 4, a damaged one or one of another model 2", async () => {
    const { run, write, leftOver } = builtEval();
    const nowhere = await run(["--replay", "nowhere"]);
    expect([nowhere.exitCode, nowhere.stdout]).toEqual([4, ""]);
    expect(nowhere.stderr).toContain("there are no recorded answers in");
    write("tapes/model.json", "{");
    expect((await run(["--replay", "tapes"])).exitCode).toBe(2);
    const model = { schemaVersion: 1, id: "a:b", protocol: "tools", contextTokens: 9000 };
    write("tapes/model.json", JSON.stringify(model));
    expect((await run(["--replay", "tapes", "--model", "c:d"])).exitCode).toBe(2);
    expect((await run(["--replay", "tapes", "--record", "tapes"])).exitCode).toBe(2);
    expect((await run(["--record", "tapes"])).exitCode).toBe(2);
    expect(leftOver()).toEqual([]);
  });

  it("E-03 a model that is down is an error and 4; --resume asks only for that again", async () => {
    const { server, live, key, run, saved, leftOver } = await liveEval({
      [FILE]: casesOf("red", "blue", "green"),
    });
    const agent = (text: string) =>
      text.includes("blue") ? { status: 500, chunks: ["out of order"] } : "Three columns.";
    server.answer(agentAndJudge({ agent }));
    const args = [...live, "--save", "now.json"];
    const down = await run(args, key);
    expect(down.exitCode).toBe(4);
    expect(brief(saved("now.json")).map(({ outcome }) => outcome)).toEqual([
      "pass",
      "error",
      "pass",
    ]);
    expect(saved("now.json").trials[1]?.error).toMatchObject({ code: "model-failed" });
    const { length } = server.requests;
    server.answer(answering);
    const resumed = await run([...args, "--resume"], key);
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(resumed.stderr).toContain("Going on: 2 of 3 trials are done already.");
    const asked = server.requests.slice(length).map((request) => contentOf(request, "user"));
    expect(asked).toHaveLength(2);
    expect(asked.filter((text) => !text.includes("blue"))).toEqual([]);
    expect(saved("now.json").trials.map(({ outcome }) => outcome)).toEqual([
      "pass",
      "pass",
      "pass",
    ]);
    expect(leftOver()).toEqual([]);
  });

  it("E-03 a service that cannot be reached at all is 4, and nothing is counted as a fail", async () => {
    const params = { model: "test", baseUrl: "http://127.0.0.1:1/v1" };
    const config = JSON.stringify({ model: { provider: "openai-compatible", params } });
    const { run, saved } = builtEval({ [FILE]: casesOf("red"), "user.json": config });
    const model = ["--config", "user.json", "--model", "openai-compatible:test"];
    const { exitCode } = await run([...model, "--save", "now.json"]);
    expect([exitCode, saved("now.json").trials[0]?.outcome]).toEqual([4, "error"]);
  });
});

/** For the process that it is loaded into, a minute takes four seconds, and everything else as much less. */
const SPEED = 15;
const FAST_CLOCK = `data:text/javascript,${encodeURIComponent(`
  const [now, since, wait] = [Date.now, performance.now.bind(performance), globalThis.setTimeout];
  const start = now();
  Date.now = () => start + (now() - start) * ${SPEED};
  performance.now = () => since() * ${SPEED};
  globalThis.setTimeout = (run, delay, ...more) => wait(run, delay / ${SPEED}, ...more);
`)}`;

describe("eval --rate", () => {
  /** Longer than a trial may take. */
  const PATIENCE_MS = 4000;
  const few = ["--rate", "3", "--timeout", "2s"];

  it(
    "E-03 no more requests than that in a minute, second tries with them; who waits does not time out",
    { timeout: 300_000 },
    async () => {
      const { server, live, key, start } = await liveEval({
        [FILE]: casesOf("red", "blue", "green", "black"),
      });
      const busy: Reply = { status: 429, headers: { "retry-after": "0" }, chunks: ["later"] };
      for (const [round, script] of [answering, busy].entries()) {
        server.answer(script);
        const waiting = start([...live, ...few], key);
        const wanted = 3 * (round + 1);
        await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(wanted);
        await setTimeout(PATIENCE_MS);
        expect([waiting.child.exitCode, server.requests.length]).toEqual([null, wanted]);
        waiting.child.kill("SIGTERM");
        const { exitCode, stderr } = await waiting.ended;
        expect(exitCode).toBe(130);
        expect(stderr).toContain("interrupted after 0 of 4 trials");
      }
    },
  );

  it(
    "E-03 the judge shares the limit of the model that it is, and has its time after the wait",
    { timeout: 300_000 },
    async () => {
      const cases = `cases:\n  - id: a\n    input: Profile the table\n    expected: { statements: [one, two] }\n`;
      const { server, live, key, run, saved } = await liveEval({ [FILE]: cases });
      const times: number[] = [];
      const reply = agentAndJudge({
        agent: () => "Three columns.",
        judge: () => verdict(true, "seen"),
      });
      server.answer((request) => {
        times.push(Date.now());
        return reply(request);
      });
      const judge = ["--judge", "openai-compatible:test", "--save", "now.json"];
      const shorterThanWait = ["--rate", "3", "--timeout", "30s"];
      const hurried = { ...key, NODE_OPTIONS: `--import=${FAST_CLOCK}` };
      const { exitCode, stderr } = await run([...live, ...judge, ...shorterThanWait], hurried);
      expect([exitCode, times.length], stderr).toEqual([0, 4]);
      // A minute, less a second for a first request that was slow to arrive; much longer than a trial may take.
      expect((times[3] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(60_000 / SPEED - 1000);
      expect(saved("now.json").trials[0]?.outcome).toBe("pass");
    },
  );

  it("E-03 runs of a watch share it too", { timeout: 300_000 }, async () => {
    const { server, live, key, start, write } = await liveEval({ [FILE]: casesOf("red") });
    server.answer(answering);
    const watching = start(["--watch", ...live, ...few], key);
    await watching.says("Watching 1 case");
    write(FILE, casesOf("blue"));
    await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(3);
    await setTimeout(PATIENCE_MS);
    expect(server.requests).toHaveLength(3);
    watching.child.kill("SIGTERM");
    expect((await watching.ended).exitCode).toBe(130);
  });
});
