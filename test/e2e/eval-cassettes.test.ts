import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chatCompletion } from "../support/model-server/chat-completions.ts";
import { startModelServer } from "../support/model-server/model-server.ts";
import { evalWorld, PDF } from "../support/eval-world.ts";
import { skillText } from "../support/skill-tree.ts";

const CASE = `cases:
  - id: table
    input: Profile the table
    expected: { skills: [csv], output: [{ type: contains, value: three columns }] }
`;
const SELECT = { name: "select_skills", input: { skills: [{ name: "csv" }] } };
const ANSWER = { name: "final_answer", input: { answer: "It has three columns." } };
const CASES = ".agent/evals/cases.yaml";
/** Of a skill, but not of this eval. */
const QUERIES = ".agent/skills/csv/evals/evals.json";
const MODEL = ["--model", "openai-compatible:test"];

async function recordedWorld() {
  const server = await startModelServer();
  server.answer(
    ...[SELECT, ANSWER].map((call, i) => chatCompletion({ calls: [{ id: `c${i}`, ...call }] })),
  );
  const params = { model: "test", baseUrl: `${server.url}/v1` };
  const config = JSON.stringify({ model: { provider: "openai-compatible", params } });
  const files = { [CASES]: CASE, "user.json": config, [QUERIES]: "[ ]" };
  const world = evalWorld(files);
  const first = await world.json(CASES, "--config", "user.json", ...MODEL, "--record", "tapes");
  return { ...world, server, first };
}

describe("cassettes of an eval", () => {
  it("E-03 what was recorded live is replayed without a key, a server or a model", async () => {
    const { first, json, project, server } = await recordedWorld();
    expect([first.exitCode, first.stderr]).toEqual([0, ""]);
    expect(server.requests).toHaveLength(2);
    expect(
      readdirSync(join(project, "tapes")).filter((name) => name !== "model.json"),
    ).toHaveLength(2);
    const again = await json(CASES, "--replay", "tapes", "--save", "now.json");
    expect(again.exitCode).toBe(0);
    expect(again.answer.cases).toEqual(first.answer.cases);
    expect(server.requests).toHaveLength(2);
    const saved = JSON.parse(readFileSync(join(project, "now.json"), "utf8")) as unknown;
    expect(saved).toMatchObject({
      setup: {
        model: "openai-compatible:test",
        isDeterministic: false,
        recording: expect.stringMatching(/^sha256:/) as string,
      },
    });
  });

  it("E-03 a cassette that is missing or stale is an error and 4, never a pass or a fail", async () => {
    const { json, write } = await recordedWorld();
    write(".agent/skills/pdf/SKILL.md", skillText("pdf", "Other words."));
    const stale = await json(CASES, "--replay", "tapes");
    expect([stale.exitCode, stale.answer.verdict.status]).toEqual([4, "errors"]);
    expect(stale.answer.cases[0]?.arms[0]?.outcome).toBe("error");
  });

  it("E-06 an edit to a skill that no request shows stales nothing; an edited answer is refused", async () => {
    const { json, write, project, first } = await recordedWorld();
    write(".agent/skills/pdf/SKILL.md", `${skillText("pdf", PDF)}\nAnother line.\n`);
    const again = await json(CASES, "--replay", "tapes");
    expect([again.exitCode, again.answer.cases]).toEqual([0, first.answer.cases]);
    const tapes = readdirSync(join(project, "tapes")).filter((name) => name !== "model.json");
    for (const name of tapes) {
      const file = join(project, "tapes", name);
      writeFileSync(
        file,
        readFileSync(file, "utf8").replace('"ok": true', '"ok": true, "more": 1'),
      );
    }
    expect((await json(CASES, "--replay", "tapes")).exitCode).toBe(4);
  });

  it("E-03 another folder or other cases make no cassette stale; another model does", async () => {
    const { json, write, project } = await recordedWorld();
    write(QUERIES, "[]");
    expect((await json(CASES, "--replay", "tapes")).exitCode).toBe(0);
    const elsewhere = evalWorld({ [CASES]: CASE, [QUERIES]: "[1]" });
    cpSync(join(project, "tapes"), join(elsewhere.project, "tapes"), { recursive: true });
    expect((await elsewhere.json(CASES, "--replay", "tapes")).exitCode).toBe(0);
    expect((await json(CASES, "--replay", "tapes", "--model", "other:model")).exitCode).toBe(2);
    expect((await json(CASES, "--replay", "nowhere")).exitCode).toBe(4);
  });
});
