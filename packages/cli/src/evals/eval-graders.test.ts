import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evalWorld } from "../../../../test/support/eval-world.ts";

const caseOf = (id: string, file: string) => `  - id: ${id}
    input: Fill the PDF form
    expected: { output: [{ type: script, file: ${file} }] }
`;

describe("graders of cases", () => {
  it("E-01 pass, fail and crash are three outcomes, wherever the grader lies", async () => {
    const { json, write, project, folder } = evalWorld({
      ".agent/evals/cases.yaml": `cases:\n${caseOf("good", "good.py")}${caseOf("bad", "graders/bad.py")}${caseOf("crash", "scripts/crash.py")}`,
      ".agent/evals/graders/bad.py": "import sys\nsys.exit(1)\n",
      ".agent/evals/scripts/crash.py": "raise ValueError('oh')\n",
    });
    const good = `import json, sys
assert json.load(sys.stdin)["input"] == "Fill the PDF form"
try:
    open(${JSON.stringify(join(folder, "escaped.txt"))}, "w").write("x")
except OSError:
    pass
`;
    write(".agent/evals/good.py", good);
    const { answer } = await json("--save", "now.json");
    const outcomes = answer.cases.map(({ id, arms }) => [id, arms[0]?.outcome]);
    expect(Object.fromEntries(outcomes)).toEqual({
      "cases/good": "pass",
      "cases/bad": "fail",
      "cases/crash": "error",
    });
    expect(existsSync(join(folder, "escaped.txt"))).toBe(false);
    expect(readFileSync(join(project, "now.json"), "utf8")).not.toContain("script-missing");
  });
});

describe("secrets in cases", () => {
  it("R-01 those of the environment are in no result and no report", async () => {
    const secret = "hunter2-of-the-environment";
    const { call, project } = evalWorld({
      ".agent/evals/cases.yaml": `cases:\n  - id: one\n    input: Log in with ${secret}\n    expected: { skills: [pdf] }\n`,
    });
    const files = ["now.json", "r.html", "r.md", "r.xml"];
    const options = ["--save", "now.json", "--html", "r.html", "--markdown", "r.md"];
    const args = ["eval", "--trust", ...options, "--junit", "r.xml", "--json"];
    const { stdout, exitCode } = await call(args, { SERVICE_PASSWORD: secret });
    expect(exitCode).toBe(1);
    const written = files.map((file) => readFileSync(join(project, file), "utf8"));
    for (const text of [stdout, ...written]) expect(text).not.toContain(secret);
    expect(written[0]).toContain("Log in with");
  });
});
