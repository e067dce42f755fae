import { createHash } from "node:crypto";
import { symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { exampleTrajectory } from "../../../../test/support/example-trajectory.ts";
import type { GraderRequest, GraderRun, OutputCheck } from "../index.ts";
import {
  type CheckEnvironment,
  checkLabel,
  checkOutput,
  parseJsonPath,
  valuesAt,
} from "./index.ts";

const origin = { file: "/cases/a.yaml", line: 1, dialect: "skillwright" } as const;

function check(one: OutputCheck, answer: string, environment: CheckEnvironment = {}) {
  const trajectory = exampleTrajectory(["answer"], { answer });
  return checkOutput(one, { evalCase: { input: "go", origin }, trajectory, environment });
}

const decided = (passed: boolean) => ({ kind: "decided", passed });

const ANSWER = "North: 1,300.50 of 2,000\nSouth: -20\nDone.";
const JSON_ANSWER =
  'Here:\n```json\n{ "rows": [{ "n": 1 }, { "n": 2 }], "a b": null, "ok": true }\n```\n';

describe("checkOutput", () => {
  it.each<[OutputCheck, boolean]>([
    [{ type: "contains", value: "North" }, true],
    [{ type: "contains", value: "north" }, false],
    [{ type: "contains", value: "north", ignoreCase: true }, true],
    [{ type: "contains", value: "West", not: true }, true],
    [{ type: "equals", value: ` ${ANSWER}\r\n` }, true],
    [{ type: "equals", value: "Done." }, false],
    [{ type: "regex", pattern: "^South: (-?\\d+)$", flags: "m" }, true],
    [{ type: "regex", pattern: "^South" }, false],
    [{ type: "regex", pattern: "(?i)DONE" }, true],
    [{ type: "regex", pattern: "D", flags: "gy" }, true],
    [{ type: "number", value: 1300.5, tolerance: 0 }, true],
    [{ type: "number", value: -20, tolerance: 0 }, true],
    [{ type: "number", value: -20.4, tolerance: 0.5 }, true],
    [{ type: "number", value: 20, tolerance: 0.5 }, false],
    [{ type: "number", value: 2000, tolerance: 0, pattern: "of ([\\d,]+)" }, true],
    [{ type: "number", value: 1300.5, tolerance: 0, pattern: "South: (\\S+)" }, false],
    [{ type: "number", value: 1, tolerance: 0, pattern: "West: (\\d+)" }, false],
  ])("E-02 of a text: %j is %s", async (one, passed) => {
    expect(await check(one, ANSWER)).toMatchObject(decided(passed));
  });

  it.each<[OutputCheck, boolean]>([
    [{ type: "json-path", path: "$.rows[1].n", equals: 2 }, true],
    [{ type: "json-path", path: "$.rows[-1].n", equals: 2 }, true],
    [{ type: "json-path", path: "$.rows[*].n", equals: 1 }, true],
    [{ type: "json-path", path: "$.rows[0]", equals: { n: 1 } }, true],
    [{ type: "json-path", path: "$['a b']", equals: null }, true],
    [{ type: "json-path", path: '$["a b"]' }, true],
    [{ type: "json-path", path: "$.none" }, false],
    [{ type: "json-path", path: "$.rows[2]" }, false],
    [{ type: "json-path", path: "$.__proto__" }, false],
    [{ type: "json-path", path: "$.rows.length" }, false],
    [{ type: "json-schema", schema: { type: "object", required: ["ok"] } }, true],
    [{ type: "json-schema", schema: { properties: { ok: { const: false } } } }, false],
    [
      {
        type: "json-schema",
        schema: { $schema: "http://json-schema.org/draft-07/schema#", required: ["rows"] },
      },
      true,
    ],
    [{ type: "json-schema", schema: false, not: true }, true],
  ])("E-02 of JSON: %j is %s", async (one, passed) => {
    expect(await check(one, JSON_ANSWER)).toMatchObject(decided(passed));
  });

  it.each<OutputCheck>([
    { type: "json-path", path: "$.error" },
    { type: "json-path", path: "$.error", equals: 1 },
    { type: "json-schema", schema: false },
  ])("E-02 of an answer without JSON nothing holds, turned round or not: %j", async (one) => {
    for (const either of [one, { ...one, not: true as const }]) {
      expect(await check(either, "no JSON at all")).toMatchObject(decided(false));
    }
    expect(await check({ ...one, not: true }, "{}")).toMatchObject(decided(true));
  });

  it.each<[string, readonly number[], readonly number[]]>([
    ["It takes 10-20 minutes.", [10, 20], [-20]],
    ["1.5-2.5, 5%-10%, 1,300-1,500", [1.5, 2.5, 10, 1500], [-2.5, -10, -1500]],
    ["on 2026-11-16 with GPT-4", [2026, 11, 16, 4], [-11, -16, -4]],
    ["\u22125 and $-6, (7), 3 - 4", [-5, -6, 7, 3, 4], [5, 6, -7, -4]],
    ["1e-3 or 2e\u22123", [0.001, 0.002], [1, -3, 3]],
    ["from -10--5", [-10, -5], [10, 5]],
    ["-1, +2, x = -3", [-1, 2, -3], [1, -2, 3]],
  ])("E-02 the numbers of %j have the signs that they are written with", async (text, has, not) => {
    const holds = async (value: number) => check({ type: "number", value, tolerance: 0 }, text);
    for (const value of has) expect(await holds(value)).toMatchObject(decided(true));
    for (const value of not) expect(await holds(value)).toMatchObject(decided(false));
  });

  it("E-02 an answer that is no JSON fails, and formats are looked at", async () => {
    expect(await check({ type: "json-schema", schema: true }, "none")).toMatchObject(
      decided(false),
    );
    const schema = { type: "string", format: "email" };
    expect(await check({ type: "json-schema", schema }, '"a@b.de"')).toMatchObject(decided(true));
    expect(await check({ type: "json-schema", schema }, '"ab"')).toMatchObject(decided(false));
  });

  it.each<[string, OutputCheck, string]>([
    ["a pattern that is none", { type: "regex", pattern: "(" }, "x"],
    ["a pattern that runs away", { type: "regex", pattern: "^(a+)+$" }, `${"a".repeat(40)}!`],
    [
      "the same, turned round",
      { type: "regex", pattern: "^(a+)+$", not: true },
      `${"a".repeat(40)}!`,
    ],
    ["a path that is none", { type: "json-path", path: "$..a" }, "{}"],
    ["a schema that is none", { type: "json-schema", schema: { type: "guess" } }, "{}"],
    [
      "a schema of elsewhere",
      { type: "json-schema", schema: { $ref: "https://x.example/y" } },
      "{}",
    ],
    [
      "a schema that runs away",
      { type: "json-schema", schema: { pattern: "^(a+)+$" } },
      `"${"a".repeat(40)}!"`,
    ],
    ["a schema without an end", { type: "json-schema", schema: { $ref: "#" } }, "{}"],
    ["a file without a folder", { type: "file-exists", path: "a" }, ""],
    ["a grader without a sandbox", { type: "script", file: "a.mjs" }, ""],
  ])("E-02 %s is undecided, neither a pass nor a fail", async (_, one, answer) => {
    expect(await check(one, answer)).toMatchObject({ kind: "undecided" });
  });

  it("E-02 looks at files of the working directory only", async () => {
    const folder = temporaryFolder({ "work/out/a.json": '{"n":1}', "secret.txt": "s" });
    const directory = join(folder, "work");
    symlinkSync(join(folder, "secret.txt"), join(directory, "link.txt"));
    symlinkSync(folder, join(directory, "up"));
    writeFileSync(join(directory, "huge.bin"), "");
    truncateSync(join(directory, "huge.bin"), 64 * 1024 * 1024);
    const sha256 = createHash("sha256").update('{"n":1}').digest("hex");
    const kinds = async (one: OutputCheck) => {
      const verdict = await check(one, "", { directory });
      return verdict.kind === "decided" ? verdict.passed : "undecided";
    };
    expect(await kinds({ type: "file-exists", path: "out/a.json" })).toBe(true);
    expect(await kinds({ type: "file-exists", path: "out" })).toBe(false);
    expect(await kinds({ type: "file-exists", path: "b", not: true })).toBe(true);
    expect(await kinds({ type: "file-contains", path: "out/a.json", value: '"n"' })).toBe(true);
    expect(await kinds({ type: "file-equals", path: "./out/a.json", value: '{"n":1}\n' })).toBe(
      true,
    );
    expect(await kinds({ type: "file-hash", path: "out/a.json", sha256 })).toBe(true);
    expect(await kinds({ type: "file-hash", path: "out/a.json", sha256: "0".repeat(64) })).toBe(
      false,
    );
    expect(await kinds({ type: "json-path", path: "$.n", equals: 1, file: "out/a.json" })).toBe(
      true,
    );
    expect(
      await kinds({ type: "json-schema", schema: { required: ["m"] }, file: "out/a.json" }),
    ).toBe(false);
    expect(await kinds({ type: "file-contains", path: "none", value: "x" })).toBe(false);
    // Nothing can be said of what is in a file that is not there.
    expect(await kinds({ type: "file-contains", path: "none", value: "x", not: true })).toBe(false);
    for (const path of [
      "link.txt",
      "up/secret.txt",
      "../secret.txt",
      "/etc/passwd",
      "huge.bin",
      "",
    ]) {
      expect([path, await kinds({ type: "file-exists", path })]).toEqual([path, "undecided"]);
    }
  });

  it.each<[string, Partial<Extract<GraderRun, { ok: true }>> | { ok: false }, object]>([
    ["exit code 0", {}, { passed: true, score: 1 }],
    ["exit code 1", { exitCode: 1 }, { passed: false, score: 0 }],
    ["text and exit code 1", { exitCode: 1, stdout: "too short" }, { passed: false }],
    [
      "a report",
      { stdout: '{"score":0.5,"details":"half"}' },
      { passed: false, score: 0.5, evidence: "half" },
    ],
    ["a full score", { stdout: '{"score":1}' }, { passed: true, score: 1 }],
    ["passed", { stdout: '{"passed":true,"score":0.7}' }, { passed: true, score: 0.7 }],
    [
      "checks",
      {
        stdout:
          '{"checks":[{"name":"a","passed":true},{"name":"b","passed":false,"message":"no"}]}',
      },
      { passed: false, score: 0.5, evidence: "+ a\n- b: no" },
    ],
    ["exit code 2", { exitCode: 2 }, { kind: "undecided" }],
    ["a signal", { exitCode: null }, { kind: "undecided" }],
    [
      "an exception",
      { exitCode: 1, stderr: "Traceback (most recent call last):\n" },
      { kind: "undecided" },
    ],
    [
      "an exception of Node",
      { exitCode: 1, stderr: "Error: x\n    at a.mjs\n\nNode.js v20.20.0\n" },
      { kind: "undecided" },
    ],
    ["a broken report", { stdout: '{"score":7}' }, { kind: "undecided" }],
    ["no sandbox", { ok: false }, { kind: "undecided" }],
    ["text before a no", { stdout: 'debug\n{"passed": false}\n' }, { passed: false, score: 0 }],
    ["text around a yes", { stdout: 'a\n{"passed": true}\ndone {1}\n' }, { passed: true }],
    ["several reports", { stdout: '{"passed": true}\n{"passed": false}' }, { passed: false }],
    [
      "a no and other JSON",
      { stdout: '{"passed": false}\n{"n": {"score": 1}}' },
      { passed: false },
    ],
    [
      "a block behind other JSON",
      { stdout: '{"n": 1}\n{\n  "passed": false,\n  "details": "no } \\" {"\n}\n' },
      { passed: false, evidence: 'no } " {' },
    ],
    ["a hair less than 1", { stdout: '{"score": 0.9999999999999999}' }, { passed: true, score: 1 }],
    ["other JSON", { stdout: '{"loaded": 3}' }, { passed: true }],
    ["another word for no", { stdout: '{"pass": false}' }, { kind: "undecided" }],
    ["a report of Python", { stdout: "{'passed': False}" }, { kind: "undecided" }],
    ["a report in a sentence", { stdout: 'Result: {"passed": false}' }, { kind: "undecided" }],
    ["a list of reports", { stdout: '[\n{"passed": true}\n]' }, { kind: "undecided" }],
    ["two in a line", { stdout: '{"passed": false} {"passed": true}' }, { kind: "undecided" }],
    [
      "a torn report",
      { stdout: '{"passed": false, "checks": [\n{"name": "a", "passed": true}\n' },
      { kind: "undecided" },
    ],
    ["a score that is no number", { stdout: '{"score": NaN}' }, { kind: "undecided" }],
    ["passed that is nothing", { stdout: '{"passed": null}' }, { kind: "undecided" }],
    [
      "passed and a check that did not",
      { stdout: '{"passed":true,"checks":[{"name":"a","passed":false}]}' },
      { kind: "undecided", evidence: expect.stringContaining("a check did not") },
    ],
    [
      "not passed and checks that did",
      { stdout: '{"passed":false,"checks":[{"name":"a","passed":true}]}' },
      { kind: "undecided" },
    ],
    [
      "a full score and a check that did not",
      { stdout: '{"score":1,"checks":[{"name":"a","passed":false}]}' },
      { kind: "undecided" },
    ],
    [
      "half a score and checks that passed",
      { stdout: '{"score":0.5,"checks":[{"name":"a","passed":true}]}' },
      { kind: "undecided" },
    ],
    ["passed and no score", { stdout: '{"passed":true,"score":0}' }, { kind: "undecided" }],
    ["not passed and all", { stdout: '{"passed":false,"score":1}' }, { kind: "undecided" }],
    [
      "a full score and exit code 1",
      { exitCode: 1, stdout: '{"score":1}' },
      { kind: "undecided", evidence: expect.stringContaining("the exit code is 1") },
    ],
    ["passed and exit code 1", { exitCode: 1, stdout: '{"passed":true}' }, { kind: "undecided" }],
    ["a no and exit code 1", { exitCode: 1, stdout: '{"passed":false}' }, { passed: false }],
  ])("E-02 a grader that ends with %s", async (_, run, expected) => {
    const requests: GraderRequest[] = [];
    const runGrader = (request: GraderRequest): Promise<GraderRun> => {
      requests.push(request);
      return Promise.resolve(
        "ok" in run && !run.ok
          ? { ok: false, code: "sandbox-missing", message: "none" }
          : { ok: true, exitCode: 0, stdout: "", stderr: "", ...run },
      );
    };
    const verdict = await check({ type: "script", file: "g/a.mjs", args: ["-x"] }, "42", {
      directory: "/work",
      runGrader,
    });
    expect(verdict).toMatchObject(expected);
    expect(requests).toMatchObject([{ file: "/cases/g/a.mjs", args: ["-x"], directory: "/work" }]);
    expect(JSON.parse(requests[0]?.stdin ?? "")).toMatchObject({
      input: "go",
      answer: "42",
      steps: [{}],
    });
  });

  it("E-02 of a check and its opposite exactly one passes", async () => {
    const checks = fc.oneof(
      fc.record({ type: fc.constant("contains" as const), value: fc.constantFrom("a", "b") }),
      fc.record({ type: fc.constant("regex" as const), pattern: fc.constantFrom("a+", "^b") }),
      fc.record({ type: fc.constant("number" as const), value: fc.nat(3), tolerance: fc.nat(1) }),
    );
    await fc.assert(
      fc.asyncProperty(
        checks,
        fc.string({ unit: fc.constantFrom("a", "b", "1", "2", " ") }),
        async (one, answer) => {
          const plain = await check(one, answer);
          const turned = await check({ ...one, not: true }, answer);
          expect(plain.kind === "decided" && plain.passed).toBe(
            turned.kind === "decided" && !turned.passed,
          );
        },
      ),
      { numRuns: numRuns(200) },
    );
  });
});

describe("checkLabel", () => {
  it.each<[OutputCheck, string]>([
    [{ type: "contains", value: "42" }, 'the answer contains "42"'],
    [{ type: "contains", value: "42", not: true }, 'not: the answer contains "42"'],
    [{ type: "json-path", path: "$.a", equals: 1 }, "$.a of the answer is 1"],
    [{ type: "file-exists", path: "a", label: "There is a file" }, "There is a file"],
    [{ type: "script", file: "/x/check.py", args: ["-v"] }, "the grader check.py -v agrees"],
  ])("E-02 %j is shown as %s", (one, label) => {
    expect(checkLabel(one)).toBe(label);
  });
});

describe("parseJsonPath", () => {
  it("E-02 finds what was put at a path, and never what is inherited", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 5 }), fc.jsonValue(), (keys, any) => {
        // What JSON can say: it has no -0.
        const value: unknown = JSON.parse(JSON.stringify(any));
        const tree = keys.reduceRight(
          (inner, key): unknown => JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(inner)}}`),
          value,
        );
        const path = parseJsonPath(`$${keys.map((key) => `[${JSON.stringify(key)}]`).join("")}`);
        expect(path.ok && valuesAt(tree, path.segments)).toEqual([value]);
      }),
      { examples: [[[], { "": -0 }]] },
    );
  });

  it.each(["", "a", "$.", "$[", "$[a]", "$..b", "$[?(@.x)]", "$.a b", "$[1,2]"])(
    "E-02 refuses %j",
    (path) => {
      expect(parseJsonPath(path)).toMatchObject({ ok: false, code: "path-invalid" });
    },
  );
});

describe("globs in file checks", () => {
  const folder = () =>
    temporaryFolder({
      "out/a.md": "# One",
      "out/deep/b.md": "# Two",
      "out/c.txt": "three",
      "[id].tsx": "page",
    });

  it.each<[string, boolean]>([
    ["out/*.md", true],
    ["*.md", false],
    ["**/*.md", true],
    ["out/**/b.md", true],
    ["**/b.*", true],
    ["out/**", true],
    ["out/?.txt", true],
    ["out/??.txt", false],
    ["out/*.{pdf,txt}", true],
    ["out/*.{pdf,docx}", false],
    ["[id].tsx", true],
    ["**/**/**/**/**/*z", false],
  ])("E-08 a path is a glob: %s: %s", async (path, passed) => {
    const directory = folder();
    const exists = await check({ type: "file-exists", path }, "", { directory });
    expect(exists).toMatchObject(decided(passed));
    const absent = await check({ type: "file-exists", path, not: true }, "", { directory });
    expect(absent).toMatchObject(decided(!passed));
  });

  it("E-08 one of the files has to meet the check; negated, none of them may", async () => {
    const directory = folder();
    const contains = (path: string, value: string, not?: true) =>
      check({ type: "file-contains", path, value, ...(not && { not }) }, "", { directory });
    expect(await contains("**/*.md", "Two")).toMatchObject({
      ...decided(true),
      evidence: expect.stringContaining("out/deep/b.md: ") as string,
    });
    expect(await contains("**/*.md", "three")).toMatchObject(decided(false));
    expect(await contains("**/*.md", "Two", true)).toMatchObject(decided(false));
    expect(await contains("**/*.md", "three", true)).toMatchObject(decided(true));
    const none = await contains("**/*.csv", "x", true);
    expect(none).toMatchObject({ ...decided(false), evidence: "no file matches **/*.csv" });
  });
});
