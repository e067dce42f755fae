import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evalWorld } from "../../../../test/support/eval-world.ts";

const FILE = ".agent/skills/pdf/evals/trigger-eval.json";
const TRIGGERS = JSON.stringify([
  { query: "Fill the PDF form", should_trigger: true },
  { query: "Write a poem", should_trigger: false, must_not: ["rhyme"] },
  { query: "No label" },
]);

describe("eval import", () => {
  it("E-08 writes a file that eval runs, and lists what could not be expressed", async () => {
    const { call, project, json } = evalWorld({ [FILE]: TRIGGERS });
    const { exitCode, stdout } = await call(["eval", "import", FILE]);
    expect(exitCode).toBe(0);
    expect(stdout.split("\n")).toEqual([
      "Wrote .agent/skills/pdf/evals/trigger-eval.cases.yaml: 2 cases from a trigger set, about pdf",
      "  1 expect a skill · 1 rule one out",
      "",
      "Not expressed:",
      expect.stringContaining(`${FILE}:1 unjudged trigger-eval-2: must_not cannot be converted`),
      expect.stringContaining(`${FILE}:1 left out it does not say what the request should trigger`),
      "",
      "1 entry left out.",
      "",
      "1 case cannot pass until you replace what is under expected.unjudged.",
      "",
    ]);
    const { answer, stderr } = await json("--filter", "trigger-eval");
    expect(stderr).not.toContain("format-foreign");
    expect(answer.cases.map(({ id, arms }) => [id, arms[0]?.outcome])).toEqual([
      ["pdf/trigger-eval-1", "pass"],
      ["pdf/trigger-eval-2", "unjudged"],
    ]);
    expect(readFileSync(join(project, FILE), "utf8")).toBe(TRIGGERS);
  });

  it("E-08 replaces a file only with --force, and prints JSON", async () => {
    const { call, project, write } = evalWorld({ [FILE]: TRIGGERS, "mine.json": "mine" });
    const args = ["eval", "import", FILE, "--out", "mine.json", "--skill", "csv"];
    const refused = await call(args);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining("mine.json exists"),
    ]);
    expect(readFileSync(join(project, "mine.json"), "utf8")).toBe("mine");
    const forced = await call([...args, "--force", "--json"]);
    expect(forced.exitCode).toBe(0);
    expect(JSON.parse(forced.stdout)).toMatchObject({
      file: FILE,
      format: "trigger-set",
      out: "mine.json",
      skill: "csv",
      cases: 2,
      losses: [
        { effect: "unjudged", caseId: "trigger-eval-2" },
        { effect: "left-out", line: 1 },
      ],
    });
    expect(JSON.parse(readFileSync(join(project, "mine.json"), "utf8"))).toMatchObject({
      skill: "csv",
      importedFrom: FILE,
      cases: [{ expected: { skills: ["csv"] } }, { expected: { skills: { unused: ["csv"] } } }],
    });
    write("self.json", TRIGGERS);
    const self = await call(["eval", "import", "self.json", "--out", "self.json", "--force"]);
    expect(self.exitCode).toBe(2);
  });

  it("E-08 without a case that could be converted it is 1, and nothing is written", async () => {
    const { call, project } = evalWorld({ "t.json": '[{"query":"a","should_trigger":true}]' });
    const { exitCode, stdout } = await call(["eval", "import", "t.json"]);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining("name one with --skill")]);
    expect(existsSync(join(project, "t.cases.yaml"))).toBe(false);
  });

  it.each([
    [".agent/evals/cases.yaml", "needs no import"],
    ["x.json", "the format is not known"],
    ["gone.json", "it cannot be read"],
  ])("E-08 %s is 2: %s", async (file, message) => {
    const { call } = evalWorld({ "x.json": '{"a":1}' });
    const { exitCode, stderr } = await call(["eval", "import", file]);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
