import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evalWorld } from "../../../../test/support/eval-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";

const MAIL = {
  ".agent/skills/mail/SKILL.md": skillText(
    "mail",
    "Sorts mail. Use when an inbox has to be sorted.",
  ),
  ".agent/skills/mail/evals/trigger-evals.json": JSON.stringify([
    { query: "Sort the inbox", should_trigger: true },
  ]),
};

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1) ?? "";

describe("what is said and the exit code are one", () => {
  it("E-04 a skill that is removed with its evals is not the same", async () => {
    const { evaluate, json, call, project } = evalWorld(MAIL);
    await evaluate("--update-baseline", "--save", "before.json");
    rmSync(join(project, ".agent/skills/mail"), { recursive: true });
    const gone = await evaluate("--save", "now.json", "--markdown", "now.md");
    expect(gone.exitCode).toBe(1);
    expect(lastLine(gone.stdout)).toMatch(
      /^✗ REGRESSION {2}1 case of the baseline is missing: mail/,
    );
    const compared = await call(["eval", "compare", "before.json", "now.json"]);
    expect(compared.exitCode).toBe(1);
    expect(lastLine(compared.stdout)).toContain("1 case of the baseline is missing");
    for (const part of [["--filter", "form"], [".agent/evals"]]) {
      const some = await json(...part);
      expect([some.exitCode, some.answer.comparison?.status]).toEqual([0, "same"]);
      expect(JSON.stringify(some.answer.comparison)).toContain("Only a part was run");
    }
    expect((await evaluate(".")).exitCode).toBe(1);
    const updated = await evaluate("--update-baseline");
    expect([updated.exitCode, lastLine(updated.stdout).slice(0, 6)]).toEqual([0, "✓ PASS"]);
    expect(updated.stdout).toContain("Against the baseline before this one");
    expect((await evaluate()).exitCode).toBe(0);
  });

  it("E-04 a new case that fails is a regression everywhere", async () => {
    const { evaluate, json, write, project } = evalWorld();
    await evaluate("--update-baseline");
    write(".agent/evals/new.yaml", "cases:\n  - input: Hello\n    expected: { skills: [pdf] }\n");
    const { exitCode, stdout } = await evaluate("--markdown", "now.md");
    expect(exitCode).toBe(1);
    expect(lastLine(stdout)).toMatch(/^✗ REGRESSION {2}1 new or changed case fails: new/);
    expect(readFileSync(join(project, "now.md"), "utf8")).toMatch(/^## ❌ Regression\n\n1 new/);
    const { answer } = await json();
    expect(answer.comparison?.status).toBe("regression");
  });

  it("E-04 cases of which none is in the baseline are judged alone", async () => {
    const { evaluate, write } = evalWorld();
    await evaluate("--update-baseline");
    const cases = (skill: string) =>
      `cases:\n  - input: Fill the PDF form\n    expected: { skills: [${skill}] }\n`;
    write("drafts/right.yaml", cases("pdf"));
    write("drafts/wrong.yaml", cases("csv"));
    const right = await evaluate("drafts/right.yaml");
    expect([right.exitCode, lastLine(right.stdout).slice(0, 6)]).toEqual([0, "✓ PASS"]);
    expect(right.stdout).toContain("None of these cases is in the baseline");
    const wrong = await evaluate("drafts/wrong.yaml");
    expect([wrong.exitCode, lastLine(wrong.stdout).slice(0, 6)]).toEqual([1, "✗ FAIL"]);
  });

  it("E-04 an error in a new case is 4, and not the same", async () => {
    const { evaluate, write } = evalWorld();
    await evaluate("--update-baseline");
    const check = "{ output: [{ type: script, file: check.py }] }";
    write(".agent/evals/new.yaml", `cases:\n  - input: Hello\n    expected: ${check}\n`);
    write(".agent/evals/check.py", "raise ValueError('oh')\n");
    const { exitCode, stdout } = await evaluate();
    expect([exitCode, lastLine(stdout).slice(0, 8)]).toEqual([4, "! ERRORS"]);
  });
});
