import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EvalResults } from "@skillwright/evals";
import { describe, expect, it } from "vitest";
import { evalWorld } from "../../../../test/support/eval-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";

const MAIL = {
  ".agent/skills/mail/SKILL.md": skillText(
    "mail",
    "Sorts mail. Use when an inbox has to be sorted.",
  ),
  ".agent/skills/mail/evals/evals.json": JSON.stringify([
    { prompt: "Sort the inbox", should_trigger: true },
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
    expect(lastLine(stdout)).toMatch(
      /^✗ REGRESSION {2}1 case fails without a result to compare with: new/,
    );
    expect(readFileSync(join(project, "now.md"), "utf8")).toMatch(
      /^## ❌ Regression\n\n1 case fails/,
    );
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

  it("E-04 a run in which most trials are errors is 4, with eval compare as well", async () => {
    const { evaluate, call, project } = evalWorld();
    await evaluate("--trials", "5", "--save", "before.json");
    const results = JSON.parse(readFileSync(join(project, "before.json"), "utf8")) as EvalResults;
    const error = { code: "timed-out", message: "late" };
    const trials = results.trials.map((one) =>
      one.trial > 1 ? { ...one, outcome: "error", grades: [], error } : one,
    );
    writeFileSync(join(project, "now.json"), JSON.stringify({ ...results, trials }));
    const { exitCode, stdout } = await call(["eval", "compare", "before.json", "now.json"]);
    expect([exitCode, lastLine(stdout).slice(0, 8)]).toEqual([4, "! ERRORS"]);
  });

  it("E-04 a baseline is of all cases: of a part it is not made, and no trial is run", async () => {
    const { evaluate, project, write, call } = evalWorld(MAIL);
    await evaluate("--update-baseline");
    const file = join(project, ".agent/evals/baseline.json");
    const before = readFileSync(file, "utf8");
    for (const path of [".agent/skills/mail", ".agent/evals", ".agent/evals/cases.yaml"]) {
      const part = await evaluate(path, "--update-baseline", "--save", "part.json");
      expect([part.exitCode, part.stderr]).toEqual([2, expect.stringContaining("needs all cases")]);
    }
    expect(existsSync(join(project, "part.json"))).toBe(false);
    expect(readFileSync(file, "utf8")).toBe(before);
    write(".agent/evals/broken.yaml", "cases:\n  - id: x\n    input: 42\n");
    const broken = await evaluate("--update-baseline", "--keep-going");
    expect([broken.exitCode, readFileSync(file, "utf8") === before]).toEqual([2, true]);
    rmSync(join(project, ".agent/evals/broken.yaml"));
    expect((await evaluate(".", "--update-baseline")).exitCode).toBe(0);
    expect((await call(["eval", "compare", file, file])).exitCode).toBe(0);
  });

  it("E-04 a case without a result gets into no baseline, also when another fails", async () => {
    const { evaluate, write, project } = evalWorld();
    const crashing =
      "  - input: Hello\n    expected: { output: [{ type: script, file: check.py }] }\n";
    const failing = "  - input: Hello you\n    expected: { skills: [pdf] }\n";
    write(".agent/evals/new.yaml", `cases:\n${crashing}${failing}`);
    write(".agent/evals/check.py", "raise ValueError('oh')\n");
    const { exitCode, stderr } = await evaluate("--update-baseline", "--max-errors", "0.5");
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("is left as it is")]);
    expect((await evaluate("--update-baseline")).exitCode).toBe(4);
    expect(existsSync(join(project, ".agent/evals/baseline.json"))).toBe(false);
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
