import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CSV } from "../support/eval-world.ts";
import { EvalProcess } from "../support/eval-process.ts";
import { KEY, liveEval, MODEL } from "../support/live-eval.ts";
import {
  agentAndJudge,
  call,
  contentOf,
  isJudged,
  verdict,
} from "../support/model-server/agent-and-judge.ts";
import type { Reply, Script } from "../support/model-server/model-server.ts";
import type { ScriptedAnswer } from "../support/model-server/scripted-answer.ts";

type Request = Parameters<Script>[0];

const FILE = ".agent/skills/csv/evals/cases.yaml";
const ONLY = ["--without", ".agent/skills/csv"];
const JUDGE = ["--judge", MODEL];
const IDS = ["a", "b", "c", "d", "e", "f"];

const casesOf = (ids: readonly string[], expected = "{ statements: [It names the columns] }") =>
  `cases:\n${ids
    .map((id) => `  - id: ${id}\n    input: Look at case-${id}.\n    expected: ${expected}\n`)
    .join("")}`;

const isPreference = (request: Request) =>
  isJudged(request) && contentOf(request, "user").includes("[first answer ");
const idIn = (text: string) => /Look at case-(\w)\./.exec(text)?.[1] ?? "?";
const prefers = (winner: string, evidence = `the ${winner} one`) =>
  call("give_verdict", { evidence, winner });

const won = (count: number) => Array.from({ length: count }, () => ({ winner: "first" }));

/** Prefers the answer that names the columns, wherever it stands. */
const consistent = (material: string) =>
  prefers(
    material.indexOf("Three columns") < material.indexOf("No idea") ? "first" : "second",
    'it says "Three columns"',
  );

/** With the skill it answers, without it it does not. Every statement holds. */
function playing(
  prefer: (material: string) => ScriptedAnswer | Reply,
  told = "Three columns.",
): Script {
  return (request) => {
    const hasSkill = JSON.stringify(request.body).includes(CSV);
    return agentAndJudge({
      agent: () => (hasSkill ? told : "No idea."),
      judge: (material) => (isPreference(request) ? prefer(material) : verdict(true, "it is said")),
    })(request);
  };
}

describe("eval --judge with two arms", () => {
  it("E-02 a judge with an opinion: which arm it prefers is in every result, and fails nothing", async () => {
    const { env, server, live, key, run, saved, project } = await liveEval({
      [FILE]: casesOf(IDS),
    });
    server.answer(playing(consistent));
    const outputs = ["--save", "now.json", "--html", "now.html", "--markdown", "now.md"];
    const args = [...ONLY, ...live, ...JUDGE];
    const { exitCode, stdout, stderr } = await run([...args, ...outputs], key);
    expect(exitCode, stderr).toBe(0);
    const { preferences = [], setup } = saved("now.json");
    expect(setup.judge).toMatch(/^openai-compatible:test#[0-9a-f]{12}$/);
    expect(preferences).toEqual(
      IDS.map((id) => ({
        caseId: `csv/${id}`,
        trial: 1,
        other: "without_skill",
        winner: "first",
        evidence: 'it says "Three columns"',
      })),
    );
    expect(server.requests.filter(isPreference)).toHaveLength(2 * IDS.length);
    const read = (name: string) => readFileSync(join(project, name), "utf8");
    const line = "judge, against without the skill";
    expect(stdout).toContain(`${line}  6 cases better, 0 worse, 0 ties, p = 0.031`);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("in 6 of 6 decided cases");
    expect(read("now.md")).toContain(`- ${line}: 6 cases better`);
    expect(read("now.html")).toContain("The tested arm is preferred");
    expect(read("now.html")).toContain("it says &quot;Three columns&quot;");
    // What was saved says the same again.
    const again = await new EvalProcess(["eval", "report", "now.json", "--json"], project, env)
      .ended;
    const { preferences: summary } = JSON.parse(again.stdout) as { preferences?: unknown };
    expect(summary).toMatchObject([{ other: "without_skill", wins: 6, losses: 0, p: 0.03125 }]);
  });

  it("E-02 a judge that prefers a place decides nothing, and that is said", async () => {
    const { server, live, key, run } = await liveEval({ [FILE]: casesOf(["a", "b"]) });
    server.answer(playing(() => prefers("first")));
    const args = [...ONLY, ...live, ...JUDGE, "--trials", "2", "--json"];
    const { stdout, stderr } = await run(args, key);
    const { preferences, verdict: said } = JSON.parse(stdout) as {
      preferences: unknown;
      verdict: { notes: string[] };
    };
    expect(preferences, stderr).toMatchObject([
      { wins: 0, losses: 0, ties: 2, p: 1, comparisons: { total: 4, dependOnOrder: 4 } },
    ]);
    expect(said.notes.join()).toContain("4 of 4 comparisons depend on the order");
  });

  it("E-02 only answers that can be compared cost a request", async () => {
    const { server, live, key, run, saved } = await liveEval({
      [FILE]: casesOf(["a"], "{ skills: [csv] }"),
      ".agent/skills/csv/evals/more.yaml": casesOf(
        ["b"],
        "{ output: [{ type: contains, value: columns }] }",
      ),
    });
    server.answer(playing(consistent));
    await run([...ONLY, ...live, ...JUDGE, "--save", "now.json"], key);
    expect(saved("now.json").preferences).toMatchObject([{ winner: "first" }]);
    const asked = server.requests.filter(isPreference).map((one) => contentOf(one, "user"));
    expect(asked.map(idIn)).toEqual(["b", "b"]);
    expect(asked[0]).toContain("does what was asked");
    const { length } = server.requests;
    await run([".agent/skills/csv", ...live, ...JUDGE, "--save", "now.json"], key);
    expect(server.requests.slice(length).filter(isPreference)).toEqual([]);
    expect(saved("now.json")).not.toHaveProperty("preferences");
  });

  it(
    "E-02 E-03 a judge that fails is an error and no win; --resume asks for that again, and no other judge",
    { timeout: 300_000 },
    async () => {
      const { server, live, key, run, saved, leftOver } = await liveEval({
        [FILE]: casesOf(["a", "b", "c"]),
      });
      const failing: Readonly<Record<string, ScriptedAnswer | Reply>> = {
        a: { text: "The first one, I think." },
        b: { status: 400, chunks: [`no, ${KEY}`] },
      };
      server.answer(playing((material) => failing[idIn(material)] ?? consistent(material)));
      const args = [...ONLY, ...live, "--save", "now.json"];
      const first = await run([...args, ...JUDGE], key);
      const told = saved("now.json").preferences ?? [];
      expect(told, first.stderr).toMatchObject([
        { error: { code: "judge-unreadable" } },
        { error: { code: "judge-failed" } },
        { winner: "first" },
      ]);
      expect(JSON.stringify(told)).not.toContain(KEY);
      expect(first.stdout.replaceAll(/\s+/g, " ")).toContain("2 comparisons could not be made");
      const other = await run([...args, "--judge", "openai-compatible:other", "--resume"], key);
      expect([other.exitCode, other.stderr]).toEqual([2, expect.stringContaining("the judge")]);
      expect((await run([...args, "--resume"], key)).exitCode).toBe(2);
      const { length } = server.requests;
      server.answer(playing(consistent));
      const resumed = await run([...args, ...JUDGE, "--resume"], key);
      expect(resumed.stderr).toContain("Going on: 1 of 3 comparisons are done already.");
      const asked = server.requests.slice(length);
      expect(asked.every(isPreference)).toBe(true);
      expect(asked.map((one) => idIn(contentOf(one, "user"))).toSorted()).toEqual([..."aabb"]);
      expect(saved("now.json").preferences).toMatchObject(won(3));
      expect(leftOver()).toEqual([]);
    },
  );

  it(
    "E-03 an interruption in the middle of comparing loses nothing and makes nothing up",
    { timeout: 300_000 },
    async () => {
      const { server, live, key, run, start, saved } = await liveEval({
        [FILE]: casesOf(["a", "b"]),
      });
      const silent: Reply = { chunks: [], end: "never" };
      server.answer(
        playing((material) => (idIn(material) === "b" ? silent : consistent(material))),
      );
      const args = [...ONLY, ...live, ...JUDGE, "--jobs", "1", "--save", "now.json"];
      const running = start(args, key);
      await expect
        .poll(() => server.requests.filter(isPreference).length, { timeout: 60_000 })
        .toBe(3);
      running.child.kill("SIGTERM");
      const { exitCode, stderr } = await running.ended;
      expect([exitCode, stderr]).toEqual([
        130,
        expect.stringContaining("interrupted after 1 of 2 comparisons"),
      ]);
      const { length } = server.requests;
      server.answer(playing(consistent));
      await run([...args, "--resume"], key);
      expect(server.requests.slice(length).map((one) => idIn(contentOf(one, "user")))).toEqual([
        "b",
        "b",
      ]);
      expect(saved("now.json").preferences).toMatchObject(won(2));
    },
  );

  it("E-03 P-04 comparisons are recorded and replayed, and no secret is in them", async () => {
    const { server, live, key, run, saved, allText } = await liveEval({ [FILE]: casesOf(["a"]) });
    const told = `Three columns, see /eval/trial/out.csv. The key is ${KEY}.`;
    server.answer(playing(consistent, told));
    const args = [...ONLY, ...JUDGE, "--trials", "2", "--save", "now.json"];
    await run([...live, ...args, "--record", "tapes"], key);
    const first = saved("now.json");
    expect(first.preferences).toMatchObject(won(2));
    expect(
      server.requests
        .filter(isPreference)
        .map(({ text }) => text)
        .join(),
    ).not.toContain(KEY);
    const { length } = server.requests;
    await run([...args, "--replay", "tapes"]);
    expect(saved("now.json").preferences).toEqual(first.preferences);
    expect(saved("now.json").setup.judge).toBe(first.setup.judge);
    expect(server.requests).toHaveLength(length);
    expect(allText().filter((text) => text.includes(KEY))).toEqual([]);
  });

  it("C-01 a watch asks again only about answers that are new", { timeout: 300_000 }, async () => {
    const { server, live, key, start, saved, write } = await liveEval({
      [FILE]: casesOf(["a", "b"]),
    });
    server.answer(playing(consistent));
    const args = [...ONLY, ...live, ...JUDGE, "--save", "now.json"];
    const watching = start(["--watch", ...args], key);
    await watching.says("Watching 2 cases");
    const { length } = server.requests;
    write(FILE, casesOf(["a", "b"]).replace("case-b.", "case-x."));
    await watching.says("Watching 2 cases", 2);
    const asked = server.requests.slice(length).filter(isPreference);
    expect(asked.map((one) => idIn(contentOf(one, "user")))).toEqual(["x", "x"]);
    expect(saved("now.json").preferences).toMatchObject([
      { caseId: "csv/a", winner: "first" },
      { caseId: "csv/b", winner: "first" },
    ]);
    watching.child.kill("SIGINT");
    expect((await watching.ended).exitCode).toBe(130);
  });
});
