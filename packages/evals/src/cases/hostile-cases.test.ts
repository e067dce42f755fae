import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readCases, readDocument } from "./index.ts";

async function readText(name: string, text: string) {
  const folder = temporaryFolder({ [name]: text });
  return readCases(join(folder, name));
}

describe("hostile files of cases", () => {
  it.each([
    ["deep JSON", "a.json", "[".repeat(100_000)],
    ["deep YAML", "a.yaml", "[".repeat(100_000)],
    [
      "deep block YAML",
      "a.yaml",
      Array.from({ length: 200 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
    ],
    ["a prototype key", "a.json", '{"cases":[{"input":"x","__proto__":{"polluted":1}}]}'],
    [
      "a prototype key in YAML",
      "a.yaml",
      "cases:\n  - input: x\n    constructor: { prototype: 1 }\n",
    ],
    ["an alias", "a.yaml", "a: &a [x]\ncases: [*a, *a]\n"],
    ["a tag", "a.yaml", "cases: !!set {a, b}\n"],
    ["a key twice", "a.json", '{"cases":[],"cases":[]}'],
    ["no UTF-8", "a.json", "\uFFFD\u0000{"],
    ["a word", "a.json", "undefined"],
    ["a number that is none", "a.json", "[01]"],
    ["open quotes", "a.json", '{"a": "b'],
    ["two documents", "a.yaml", "a: 1\n---\nb: 2\n"],
    ["nothing", "a.json", ""],
    ["nothing in YAML", "a.yaml", ""],
  ])("E-01 %s is a problem, and nothing else", async (_, name, text) => {
    const { cases, problems } = await readText(name, text);
    expect(cases).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ severity: "error", line: expect.any(Number) as number });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("E-01 too large a file, or one with too many values, is a problem", async () => {
    const many = await readText("a.json", `[${"1,".repeat(2_000_001)}1]`);
    expect(many.problems).toMatchObject([
      { code: "file-invalid", message: "more than 2000000 values" },
    ]);
    const large = await readText("a.yaml", "a".repeat(4 * 1024 * 1024 + 1));
    expect(large.problems).toMatchObject([{ code: "file-unreadable" }]);
  });

  it("E-01 ids and titles hold nothing that a terminal or a path would obey", async () => {
    const items = [
      { id: "../../etc/passwd", input: "a\u001b[2J", expected: {} },
      { id: "\u001b[31mred", input: "b", expected: {} },
      { id: "..", input: "c", expected: {} },
    ];
    const { cases } = await readText("x.json", JSON.stringify(items));
    expect(cases.map(({ id, title }) => [id, title])).toEqual([
      ["x/-..-etc-passwd", "a [2J"],
      ["x/-31mred", "b"],
      ["x/case", "c"],
    ]);
  });

  it("E-01 folders that are links are not looked into", async () => {
    const folder = temporaryFolder({
      "elsewhere/evals.json": '[{"prompt":"q"}]',
      "project/pdf/SKILL.md": "---\nname: pdf\ndescription: x\n---\n",
    });
    mkdirSync(join(folder, "project/.agent"));
    symlinkSync(join(folder, "elsewhere"), join(folder, "project/pdf/evals"));
    symlinkSync(join(folder, "elsewhere"), join(folder, "project/.agent/evals"));
    const { cases, problems } = await readCases(join(folder, "project"));
    expect(cases).toEqual([]);
    expect(problems.map(({ file, severity }) => [file, severity])).toEqual([
      [join(folder, "project/.agent/evals"), "warning"],
      [join(folder, "project/pdf/evals"), "warning"],
    ]);
  });

  it("E-01 says in which line it is", async () => {
    const json = await readText("a.json", '{\n  "cases": [\n    { "input": "x", }\n  ]\n}');
    expect(json.problems).toMatchObject([{ line: 3, code: "file-invalid" }]);
    const yaml = await readText("a.yaml", "cases:\n  - input: x\n   bad: [\n");
    expect(yaml.problems).toMatchObject([{ code: "file-invalid" }]);
    expect(yaml.problems[0]?.line).toBeGreaterThan(2);
  });

  it("E-01 a link to a file is not followed", async () => {
    const folder = temporaryFolder({ "real.json": '[{"input":"q","expected":{}}]' });
    symlinkSync(join(folder, "real.json"), join(folder, "link.json"));
    const { cases, problems } = await readCases(join(folder, "link.json"));
    expect(cases).toEqual([]);
    expect(problems).toMatchObject([
      { code: "file-unreadable", message: "it cannot be read: link" },
    ]);
  });

  it("E-01 many cases are read, each with its line", async () => {
    const items = Array.from(
      { length: 10_000 },
      (_, i) => `{"input":"q${i}","expected":{"skills":"pdf"}}`,
    );
    const { cases, problems } = await readText("many.json", `[\n${items.join(",\n")}\n]`);
    expect(problems).toEqual([]);
    expect(cases).toHaveLength(10_000);
    expect(cases.every(({ origin }, i) => origin.line === i + 2)).toBe(true);
  });

  it("E-01 reads JSON as JSON.parse does, with the lines at which values stand", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const read = readDocument(text, "json");
        const hasOddKey = /"(?:__proto__|constructor|prototype)":/.test(text);
        const isTwice = !read.ok && read.message.includes("occurs twice");
        expect(hasOddKey || isTwice || (read.ok && read.document.value)).toEqual(
          hasOddKey || isTwice || JSON.parse(text),
        );
      }),
    );
  });

  it("E-01 no text of any kind makes it throw", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ":",
      ",",
      '"',
      "a",
      "1",
      "-",
      "\n",
      "  ",
      "- ",
      "&a",
      "*a",
      "!!x",
      "|",
      ">",
      "cases",
      "input",
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 20 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(texts, fc.constantFrom("json" as const, "yaml" as const), (text, format) => {
        expect(typeof readDocument(text, format).ok).toBe("boolean");
      }),
      { numRuns: numRuns(3000) },
    );
  });

  it("E-01 whatever stands in a file, reading it ends in cases and problems", async () => {
    const keys = fc.constantFrom(
      "cases",
      "evals",
      "input",
      "prompt",
      "query",
      "should_trigger",
      "expected",
      "skills",
      "output",
      "stimuli",
      "graders",
      "tasks",
      "inputs",
      "type",
      "config",
      "files",
      "id",
      "train",
      "constraints",
      "mock",
      "assertions",
      "value",
      "path",
    );
    const leaf = fc.oneof(
      fc.constantFrom("pdf", "none", "contains", "regex", "(", "fire", ""),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        leaf,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(keys, tie("value"), { maxKeys: 4 }),
      ),
    }));
    const folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(value, async (content) => {
        const file = join(folder, "evals.json");
        writeFileSync(file, JSON.stringify(content));
        const { cases, problems } = await readCases(file);
        expect(Array.isArray(cases) && Array.isArray(problems)).toBe(true);
        expect(cases.every(({ input, origin }) => input !== "" && origin.line >= 1)).toBe(true);
      }),
      { numRuns: numRuns(500) },
    );
  });
});
