import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  compareResults,
  type EvalResults,
  junitReport,
  markdownReport,
  type Outcome,
  summarize,
  verdictLines,
} from "@skillwright/evals";
import { describe, expect, it } from "vitest";
import { bareTrial, exampleResults } from "../../../../test/support/example-results.ts";
import { evalWorld } from "../../../../test/support/eval-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { settleComparison } from "@skillwright/app/internal";

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

/** One trial of each case, in this order. */
function resultsOf(...outcomes: readonly Outcome[]): EvalResults {
  const trials = outcomes.map((outcome, at) =>
    bareTrial(`case-${String(at).padStart(2, "0")}`, {
      outcome,
      ...(outcome === "error"
        ? { error: { code: "timed-out", message: "it took too long" } }
        : { grades: [{ metric: "output", text: "contains", outcome, score: 0, evidence: "" }] }),
    }),
  );
  return exampleResults(trials);
}

const ELEVEN = Array.from({ length: 11 }, (): Outcome => "pass");
const interrupted = { reason: "interrupted", cases: 1 } as const;
const spent = { reason: "cost", cases: 2 } as const;

interface Row {
  readonly now: readonly Outcome[];
  readonly before?: readonly Outcome[];
  readonly isStrict?: boolean;
  readonly unfinished?: typeof interrupted | typeof spent;
}

describe("E-05 exit code, JUnit, Markdown and the last line agree", () => {
  it.each<[string, Row, string, number]>([
    ["pass", { now: ["pass"] }, "PASS", 0],
    ["fail", { now: ["pass", "fail"] }, "FAIL", 1],
    ["all are errors", { now: ["error", "error"] }, "ERRORS", 4],
    ["more than 10 % errors", { now: ["error", "pass", "pass"] }, "ERRORS", 4],
    ["fewer errors leave doubt", { now: [...ELEVEN, "error"] }, "INCONCLUSIVE", 0],
    ["which fails when strict", { now: [...ELEVEN, "error"], isStrict: true }, "INCONCLUSIVE", 1],
    ["a failure counts beside few errors", { now: [...ELEVEN, "fail", "error"] }, "FAIL", 1],
    ["nothing judged", { now: ["unjudged"] }, "NO-DATA", 4],
    ["one of several is unjudged", { now: ["pass", "unjudged"] }, "PASS", 0],
    ["the same", { before: ["pass", "fail"], now: ["pass", "fail"] }, "SAME", 0],
    ["better", { before: ["pass", "fail"], now: ["pass", "pass"] }, "BETTER", 0],
    ["regression", { before: ["pass", "pass"], now: ["pass", "fail"] }, "REGRESSION", 1],
    ["a case is gone", { before: ["pass", "pass"], now: ["pass"] }, "REGRESSION", 1],
    ["errors against a baseline", { before: ["pass"], now: ["error"] }, "ERRORS", 4],
    [
      "few against one",
      { before: [...ELEVEN, "pass"], now: [...ELEVEN, "error"] },
      "INCONCLUSIVE",
      0,
    ],
    [
      "few against one, strict",
      { before: [...ELEVEN, "pass"], now: [...ELEVEN, "error"], isStrict: true },
      "INCONCLUSIVE",
      1,
    ],
    [
      "interrupted retries",
      { before: ["pass"], now: ["pass"], unfinished: interrupted },
      "INCONCLUSIVE",
      130,
    ],
    [
      "retries without budget",
      { before: ["pass"], now: ["pass"], unfinished: spent },
      "INCONCLUSIVE",
      4,
    ],
    ["the same without a baseline", { now: ["pass"], unfinished: spent }, "INCONCLUSIVE", 4],
    [
      "what is shown already stays",
      { before: ["pass"], now: ["fail"], unfinished: spent },
      "REGRESSION",
      1,
    ],
  ])("%s", (_, { now, before, isStrict = false, unfinished }, status, exitCode) => {
    const results = resultsOf(...now);
    const compared = before && compareResults(resultsOf(...before), results);
    if (compared?.ok === false) throw new Error(compared.message);
    const { exitCode: settledCode, ...settled } = settleComparison(summarize(results), compared, {
      isPart: false,
      isUpdate: false,
      failWhenInconclusive: isStrict,
      ...(unfinished && { unfinished }),
    });
    const input = { results, ...settled, exitCode: settledCode };
    expect([settledCode, lastLine(verdictLines(input).join("\n")).split(" ")[1]]).toEqual([
      exitCode,
      status,
    ]);
    const [, failures, errors] =
      /^<testsuites [^>]*failures="(\d+)" errors="(\d+)"/m.exec(junitReport(input)) ?? [];
    expect(Number(failures) + Number(errors) > 0).toBe(exitCode !== 0);
    const [title = ""] = markdownReport(input).split("\n");
    expect(title.startsWith("## ✅")).toBe(["PASS", "SAME", "BETTER"].includes(status));
  });

  it.each([30, 40, 60, 80, 200])(
    "in %i columns the last line says that it is a smoke test",
    (width) => {
      const results = resultsOf("pass", "fail");
      for (const model of ["offline:rules", "anthropic:claude"]) {
        const setup = { ...results.setup, model };
        const lines = verdictLines({ summary: summarize({ ...results, setup }) }, { width });
        expect(lines.every((line) => line.length <= width)).toBe(true);
        expect(lines.at(-1)).toMatch(
          model === "offline:rules" ? /smoke test/i : /anthropic:claude/,
        );
      }
    },
  );
});
