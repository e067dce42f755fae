import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evalWorld } from "../support/eval-world.ts";
import { skillText } from "../support/skill-tree.ts";

const parsed = (text: string) => JSON.parse(text) as Readonly<Record<string, unknown>>;

describe("eval trigger", () => {
  it("E-02 shows who is selected for what, and what a crowded catalog does to it", async () => {
    const { call } = evalWorld();
    const args = ["eval", "trigger", "--trust", "--stress", "300", "--json"];
    const [once, again] = [await call(args), await call(args)];
    expect(once.exitCode).toBe(0);
    expect(once.stdout).toBe(again.stdout);
    const { trigger, stress } = parsed(once.stdout) as {
      trigger: { confusion: unknown[] };
      stress: { added: number; trigger: { n: number } };
    };
    expect(trigger.confusion).toHaveLength(3);
    expect([stress.added, stress.trigger.n]).toEqual([300, 3]);
    const { stdout } = await call(["eval", "trigger", "--trust"]);
    expect(stdout).toMatch(/^EXPECTED +CASES +SELECTED\n/);
    expect(stdout).toMatch(/pass: 100 %/);
  });

  it("E-02 names the skill that took a request, with those of a folder", async () => {
    const files = {
      "more/forms/SKILL.md": skillText(
        "forms",
        "Fills every PDF form. PDF form. Use when a PDF form has to be filled in.",
      ),
    };
    const { call } = evalWorld(files);
    const args = ["eval", "trigger", "--trust", "--stress", "9", "--with-root", "more", "--json"];
    const { stdout, exitCode } = await call(args);
    expect(exitCode).toBe(0);
    expect(parsed(stdout)["stress"]).toMatchObject({ added: 1 });
  });
});

describe("eval compare and report", () => {
  it("E-04 compares saved results, and shows those of the last eval", async () => {
    const { call, evaluate, write } = evalWorld();
    expect((await call(["eval", "report"])).exitCode).toBe(4);
    await evaluate("--save", "before.json");
    write(".agent/skills/csv/SKILL.md", skillText("csv", "Nothing at all."));
    await evaluate("--save", "now.json");
    const worse = await call(["eval", "compare", "before.json", "now.json", "--json"]);
    expect([worse.exitCode, parsed(worse.stdout)["status"]]).toEqual([1, "regression"]);
    const same = await call(["eval", "compare", "now.json", "now.json"]);
    expect([same.exitCode, same.stdout.split("\n").at(-2)]).toEqual([
      0,
      expect.stringMatching(/SAME/),
    ]);
    const last = await call(["eval", "report"]);
    expect([last.exitCode, last.stdout]).toEqual([
      0,
      expect.stringContaining("1 of 3 cases failed"),
    ]);
    const wrong = await call(["eval", "compare", "before.json", "nothing.json"]);
    expect(wrong.exitCode).toBe(2);
  });
});

describe("eval lint", () => {
  it("E-01 says what keeps cases from showing anything, in every format", async () => {
    const { call, write } = evalWorld();
    write(
      ".agent/evals/more.yaml",
      "cases:\n  - input: Use pdf for this\n    expected: { skills: [pdf] }\n  - input: x\n    expected: { skills: [nobody] }\n",
    );
    const lint = (...args: string[]) => call(["eval", "lint", "--trust", ...args]);
    const human = await lint();
    expect(human.exitCode).toBe(1);
    expect(human.stdout).toContain("expected-skill-unknown");
    expect(human.stdout).toContain(".agent/evals/more.yaml:");
    expect(parsed((await lint("--json")).stdout)).toMatchObject({ cases: 5, errors: 1 });
    expect((await lint("--format", "github")).stdout).toMatch(/^::error file=/m);
    expect(parsed((await lint("--format", "sarif")).stdout)).toHaveProperty("runs");
    const off = await lint("--rule", "expected-skill-unknown=off");
    expect(off.exitCode).toBe(0);
    expect((await lint("--rule", "nonsense=off")).exitCode).toBe(2);
  });
});

describe("eval suggest", () => {
  it("E-01 proposes near misses of the neighbours, and changes nothing", async () => {
    const { call, write } = evalWorld();
    write(
      ".agent/skills/csv/evals/trigger-evals.json",
      '[{"query":"Profile the table","should_trigger":true}]',
    );
    const { exitCode, stdout } = await call(["eval", "suggest", "csv", "--trust", "--json"]);
    expect(exitCode).toBe(0);
    expect(parsed(stdout)["suggestions"]).toMatchObject([{ skill: "csv" }]);
    expect((await call(["eval", "suggest", "nobody", "--trust"])).exitCode).toBe(1);
    const { stdout: text } = await call(["eval", "suggest", "--trust"]);
    expect(text).toMatch(/^csv\n/);
  });
});

describe("eval of what init makes", () => {
  it("C-01 the example of init passes as its workflow runs it", async () => {
    const { call, folder } = evalWorld({ ".agent/evals/cases.yaml": "-" });
    const fresh = join(folder, "fresh");
    expect((await call(["init", fresh, "--yes"])).exitCode).toBe(0);
    writeFileSync(join(fresh, "note.txt"), "");
    const { exitCode, stderr, stdout } = await call(["eval", "--trust", "--cwd", fresh]);
    expect([exitCode, stderr, stdout]).toEqual([0, "", expect.stringContaining("PASS")]);
  });
});
