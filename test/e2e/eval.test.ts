import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CASES, CSV, evalWorld } from "../support/eval-world.ts";
import { skillText } from "../support/skill-tree.ts";

const outcomes = (cases: readonly { id: string; arms: readonly { outcome: string }[] }[]) =>
  Object.fromEntries(cases.map(({ id, arms }) => [id, arms.map(({ outcome }) => outcome).join()]));

describe("eval", () => {
  it("E-03 runs the cases of a project offline and gives every report", async () => {
    const { json, project, evaluate } = evalWorld();
    const reports = ["--html", "r.html", "--markdown", "r.md", "--junit", "r.xml"];
    const files = [...reports, "--workspace", "ws", "--save", "now.json"];
    const { exitCode, answer } = await json(...files);
    expect(exitCode).toBe(0);
    expect(Object.keys(answer)).toEqual([
      "schemaVersion",
      "verdict",
      "trigger",
      "sequence",
      "output",
      "cost",
      "cases",
    ]);
    expect(outcomes(answer.cases)).toEqual({
      "cases/form": "pass",
      "cases/poem": "pass",
      "cases/table": "pass",
    });
    const read = (name: string) => readFileSync(join(project, name), "utf8");
    expect(read("r.html")).toContain("<!doctype html>");
    expect(read("r.md")).toContain("Pass");
    expect(read("r.xml")).toContain('tests="3" failures="0" errors="0"');
    expect(existsSync(join(project, "ws"))).toBe(true);
    const shown = await evaluate("--quiet");
    expect(shown.stdout).toMatch(/^✓ PASS .*3 of 3 cases/);
  });

  it("E-03 a key that is there is not spent: the offline model decides unless one is named", async () => {
    const { call, project } = evalWorld();
    const args = ["eval", "--trust", "--save", "now.json"];
    const { exitCode } = await call(args, { ANTHROPIC_API_KEY: "sk-ant-nobody-spends-me" });
    expect(exitCode).toBe(0);
    const saved = readFileSync(join(project, "now.json"), "utf8");
    expect(JSON.parse(saved)).toMatchObject({ setup: { model: "offline:skillwright" } });
    expect(saved).not.toContain("nobody-spends-me");
  });

  it("E-02 a grader that cannot be run here is never a pass, and is named everywhere", async () => {
    const known = '{ "type": "regex", "pattern": "." }';
    const { json, evaluate, call, project } = evalWorld({
      ".agent/skills/csv/evals/evals.json": [
        '[{ "id": "half", "prompt": "Profile the table", "assertions": [',
        `  ${known},`,
        '  { "type": "diff", "value": "a" }',
        "]},",
        `{ "id": "whole", "prompt": "Profile the table again", "assertions": [${known}] }]`,
      ].join("\n"),
    });
    const reports = ["--html", "r.html", "--markdown", "r.md", "--junit", "r.xml"];
    const { exitCode, answer, stderr } = await json(...reports);
    expect(exitCode).toBe(0);
    expect(outcomes(answer.cases)).toMatchObject({ "csv/half": "unjudged", "csv/whole": "pass" });
    expect(answer).toMatchObject({
      verdict: { expectations: { unsupported: 1, withoutJudge: 0 } },
      problems: [{ code: "grader-unsupported", severity: "warning", line: 3 }],
    });
    expect(stderr).toMatch(
      /evals\.json:3: warning: assertions\.1: the type diff with value is not known/,
    );
    const shown = (await evaluate()).stdout.replaceAll(/\s+/g, " ");
    const read = (name: string) => readFileSync(join(project, name), "utf8");
    for (const text of [shown, read("r.html"), read("r.md")]) {
      expect(text).toMatch(/1 of \d+ expectations were not judged: they cannot be checked here/);
      expect(text).toContain("Neither passed nor failed: csv/half");
    }
    expect(read("r.xml")).toContain(
      '<skipped message="assertions.1: the type diff with value is not known"/>',
    );
    const lint = await call(["eval", "lint", "--trust", "--json"]);
    const { diagnostics } = JSON.parse(lint.stdout) as { diagnostics: { code: string }[] };
    expect(diagnostics.filter(({ code }) => code === "grader-unsupported")).toMatchObject([
      { line: 3, message: expect.stringContaining("csv/half cannot pass") as string },
    ]);
    const off = await call([
      "eval",
      "lint",
      "--trust",
      "--json",
      "--rule",
      "grader-unsupported=off",
    ]);
    expect(off.stdout).not.toContain("grader-unsupported");
    const selected = await call(["eval", "trigger", "--trust", "--json"]);
    expect(selected.exitCode).toBe(0);
    expect(JSON.parse(selected.stdout)).toMatchObject({ problems: [{ severity: "warning" }] });
  });

  it("E-02 a case that fails is 1, one that nobody can judge is 4", async () => {
    const { json, write } = evalWorld();
    write(".agent/evals/cases.yaml", CASES.replace("skills: [csv]", "skills: [pdf]"));
    const failed = await json();
    expect([failed.exitCode, failed.answer.verdict.status]).toEqual([1, "fail"]);
    const statement = "cases:\n  - input: Hello\n    expected: { statements: [It is polite] }\n";
    write(".agent/evals/cases.yaml", statement);
    const unjudged = await json();
    expect([unjudged.exitCode, unjudged.answer.verdict.status]).toEqual([4, "no-data"]);
  });

  it("E-01 without a case it is 4, and says where they belong", async () => {
    const { evaluate } = evalWorld({ ".agent/evals/cases.yaml": "-" });
    const { exitCode, stderr } = await evaluate();
    expect(exitCode).toBe(4);
    expect(stderr).toContain("there are no cases");
    expect((await evaluate("--filter", "nothing")).exitCode).toBe(4);
  });

  it("E-01 cases that cannot be read are shown with their place and are 2, unless it is to go on", async () => {
    const { evaluate, json, write } = evalWorld();
    write(".agent/evals/more.yaml", "cases:\n  - id: x\n    input: 42\n  - expected: {}\n");
    const { exitCode, stderr } = await evaluate();
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/\.agent\/evals\/more\.yaml:\d+: error: /);
    const { exitCode: code, answer } = await json("--keep-going");
    expect([code, answer.cases.length]).toEqual([0, 3]);
    expect(answer).toHaveProperty("problems");
    expect((await evaluate("nowhere")).exitCode).toBe(2);
  });

  it("E-02 skills that are not trusted are not tested, and nothing pretends that they were", async () => {
    const evals = JSON.stringify([{ prompt: "Fill the PDF form", should_trigger: true }]);
    const { call } = evalWorld({ ".agent/skills/pdf/evals/evals.json": evals });
    const { exitCode, stderr } = await call(["eval"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("not trusted");
  });

  it.each([
    ["--trials", "0"],
    ["--jobs", "many"],
    ["--timeout", "soon"],
    ["--min-pass-rate", "2"],
    ["--record", "tapes"],
    ["--judge", "offline"],
    ["--against", "no-such-commit"],
    ["--replay", "a", "--record", "b"],
    ["--update-baseline", "--filter", "x"],
    ["--baseline", "missing.json"],
    ["--yes"],
  ])("C-01 %s %s is wrong usage", async (...args) => {
    const evals = JSON.stringify([{ prompt: "Fill the PDF form", should_trigger: true }]);
    const { evaluate } = evalWorld({ ".agent/skills/pdf/evals/evals.json": evals });
    expect((await evaluate(...args)).exitCode).toBe(2);
  });

  it("E-04 what got worse than the baseline is 1, until that is the new baseline", async () => {
    const { evaluate, json, write, project } = evalWorld();
    expect((await evaluate("--update-baseline")).exitCode).toBe(0);
    expect(existsSync(join(project, ".agent/evals/baseline.json"))).toBe(true);
    expect((await json()).answer.comparison?.status).toBe("same");
    write(".agent/skills/csv/SKILL.md", skillText("csv", "Something about nothing at all."));
    const worse = await json();
    expect([worse.exitCode, worse.answer.comparison?.status]).toEqual([1, "regression"]);
    expect((await evaluate("--update-baseline")).exitCode).toBe(1);
    const known = await json();
    expect([known.exitCode, known.answer.verdict.status]).toEqual([0, "fail"]);
    expect((await evaluate("--no-baseline")).exitCode).toBe(1);
    write(".agent/skills/csv/SKILL.md", skillText("csv", CSV));
    expect((await json()).answer.comparison?.status).toBe("better");
  });

  it("E-04 a new case that fails is not excused by the baseline", async () => {
    const { evaluate, write } = evalWorld();
    await evaluate("--update-baseline");
    write(".agent/evals/new.yaml", "cases:\n  - input: Hello\n    expected: { skills: [pdf] }\n");
    expect((await evaluate()).exitCode).toBe(1);
  });

  it("E-03 leaves nothing in the project that nobody asked for", async () => {
    const { evaluate, project } = evalWorld();
    await evaluate();
    expect(readdirSync(project).sort()).toEqual([".agent", ".git"]);
    expect(readdirSync(join(project, ".agent")).sort()).toEqual(["evals", "skills"]);
  });

  it("E-03 a skill at a path is tested among its neighbours, though it lies in no root", async () => {
    const evals = JSON.stringify([
      { prompt: "Sort the inbox", should_trigger: true },
      { prompt: "Fill the PDF form", should_trigger: false },
    ]);
    const { json } = evalWorld({
      "drafts/mail/SKILL.md": skillText("mail", "Sorts mail. Use when an inbox has to be sorted."),
      "drafts/mail/evals/evals.json": evals,
    });
    const { exitCode, answer } = await json("drafts/mail");
    expect([exitCode, answer.cases.length]).toEqual([0, 2]);
    const removed = await json("drafts/mail", "--root", ".agent/skills");
    expect(removed.exitCode).toBe(1);
  });
});
