import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const SKILL = fileURLToPath(new URL("../../skills/format-check", import.meta.url));
type Files = Readonly<Record<string, string | Buffer>>;

function run(files: Files, ...args: string[]) {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(SKILL, "scripts/check.mjs"), ...args],
    { cwd: folder, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  return { status, stdout, stderr, lines: stdout.trimEnd().split("\n") };
}

const check = (name: string, content: string | Buffer, ...args: string[]) =>
  run({ [name]: content }, name, ...args);
const withSchema = (value: unknown, schema: unknown) => {
  const files = { "x.json": JSON.stringify(value), "s.json": JSON.stringify(schema) };
  return run(files, "x.json", "--schema", "s.json");
};

describe("C-01 format-check: JSON", () => {
  it("C-01 valid, with the verdict on the last line", () => {
    const { status, stdout } = check("x.json", '{"a": [1, -2.5e3, true, null, "\\u00e9"]}\n');
    expect([status, stdout]).toEqual([
      0,
      "x.json is valid JSON: 0 errors, 0 warnings; no schema was given\n",
    ]);
  });

  it.each([
    ['{"a": 1,\n "a": 2}', '2:2 error the key "a" stands twice, first in line 1'],
    ["[1,\n 2,]", "2:4 error a comma before ]"],
    ['{"a": 1,}', "1:9 error a comma before }"],
    ['{"a" 1}', '1:6 error a colon is missing after the key "a"'],
    ["{a: 1}", '1:2 error a key in double quotes is missing, not "a"'],
    ['["x\n"]', "1:2 error this text has no closing quote"],
    ['["\\q"]', "1:3 error \\q is no escape"],
    ["[01]", '1:2 error this is not a number: "01"'],
    ["[1] x", '1:5 error "x" comes after the end'],
    ["", "1:1 error a value is missing before the end of the file"],
    ["// c\n1", "1:1 error JSON has no comments"],
    ["[".repeat(100_000), "1:202 error more than 200 levels"],
    [
      Buffer.from([0x5b, 0x0a, 0xff, 0x5d]),
      "2:1 error this byte is not UTF-8; save the file as UTF-8",
    ],
    [Buffer.from("[\n\0]"), "2:1 error a NUL byte: this is a binary file, not a text"],
    ["\ufeff[]", "1:1 warning the file begins with a byte order mark (BOM)"],
  ])("C-01 %j", (text, finding) => {
    expect(check("x.json", text).lines).toContain(`x.json:${finding}`);
  });

  it("C-01 agrees with JSON.parse on what is JSON", async () => {
    const { readJson, plainValue } = await lib<{
      readJson: (text: string, findings: unknown) => object | undefined;
      plainValue: (node: object) => unknown;
    }>("read-json");
    const { Findings } = await lib<{ Findings: new () => object }>("findings");
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(...'{}[]",:\\0-e.tn \n'))
      .map(([text, at, mark]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + mark + text.slice(place + 1);
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        const node = readJson(text, new Findings());
        const value = node === undefined ? undefined : JSON.stringify(plainValue(node));
        expect(value).toBe(parsed(text));
      }),
      { numRuns: 500 },
    );
  });
});

/** As JSON.parse reads it, with keys in the order of the reader; undefined when it is no JSON. */
function parsed(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function lib<T>(name: string): Promise<T> {
  return import(join(SKILL, `scripts/lib/${name}.mjs`)) as Promise<T>;
}

describe("C-01 format-check: JSON Schema", () => {
  it.each<[schema: object, good: unknown, bad: unknown]>([
    [{ type: "integer" }, 1, 1.5],
    [{ type: ["string", "null"] }, null, 1],
    [{ enum: [1, { a: [1] }] }, { a: [1] }, { a: [2] }],
    [{ const: { a: 1, b: 2 } }, { b: 2, a: 1 }, { a: 1 }],
    [{ properties: { a: { type: "string" } } }, { a: "x", b: 1 }, { a: 1 }],
    [{ required: ["__proto__"] }, JSON.parse('{"__proto__": 1}'), {}],
    [{ properties: { a: true }, additionalProperties: false }, { a: 1 }, { b: 1 }],
    [{ patternProperties: { "^x": { type: "number" } } }, { x1: 1 }, { x1: "a" }],
    [{ propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
    [{ dependentRequired: { a: ["b"] } }, { a: 1, b: 1 }, { a: 1 }],
    [{ minProperties: 1, maxProperties: 1 }, { a: 1 }, {}],
    [{ items: { type: "number" } }, [1, 2], [1, "2"]],
    [{ prefixItems: [{ type: "string" }], items: { type: "number" } }, ["a", 1], ["a", "b"]],
    [{ prefixItems: [true], items: false }, [1], [1, 2]],
    [{ contains: { const: 1 }, maxContains: 1 }, [1, 2], [1, 1]],
    [{ minItems: 1, maxItems: 2 }, [1], [1, 2, 3]],
    [
      { uniqueItems: true },
      [1, "1", { a: 1, b: 2 }],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    [{ minLength: 2, maxLength: 2 }, "😀é", "😀"],
    [{ pattern: "^\\p{Lu}" }, "Éa", "éa"],
    [{ minimum: 1, exclusiveMaximum: 3 }, 1, 3],
    [{ maximum: 1, exclusiveMinimum: 0 }, 1, 0],
    [{ multipleOf: 0.1 }, 0.3, 0.35],
    [{ format: "date" }, "2024-02-29", "2023-02-29"],
    [{ format: "date-time" }, "2024-02-29T23:59:60Z", "2024-02-29 10:00:00Z"],
    [{ format: "email" }, "a.b@example.org", "a@b@c"],
    [{ format: "uri" }, "https://example.org/a?b#c", "example.org"],
    [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, 2, 3],
    [{ anyOf: [{ type: "string" }, { minimum: 5 }] }, 5, 1],
    [{ oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, 4, 6],
    [{ not: { type: "string" } }, 1, "a"],
    [
      JSON.parse(
        '{"if": {"minimum": 10}, "then": {"multipleOf": 10}, "else": {"maximum": 5}}',
      ) as object,
      20,
      7,
    ],
    [{ $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "number" } } }, 1, "x"],
    [
      { properties: { next: { $ref: "#" } }, required: ["v"] },
      { v: 1, next: { v: 2 } },
      { v: 1, next: {} },
    ],
  ])("C-01 %j", (schema, good, bad) => {
    expect(withSchema(good, schema)).toMatchObject({ status: 0, stderr: "" });
    expect(withSchema(bad, schema)).toMatchObject({ status: 1, stderr: "" });
  });

  it("C-01 gives the place of each problem", () => {
    const schema =
      '{"properties": {"a": {"items": {"type": "integer"}}}, "additionalProperties": false}';
    const text = '{\n  "a": [1,\n    "two"],\n  "b": 1\n}';
    const { lines } = run({ "x.json": text, "s.json": schema }, "x.json", "--schema", "s.json");
    expect(lines).toEqual([
      "x.json:3:5 error must be integer, not string",
      'x.json:4:3 error the key "b" is not allowed',
      "x.json is not valid JSON: 2 errors, 0 warnings; checked against s.json",
    ]);
  });

  it("C-01 what is not checked is named, never passed over", () => {
    const schema = { unevaluatedProperties: false, format: "hostname", $anchor: "x", mine: 1 };
    const { status, stdout } = withSchema("a", schema);
    expect(status).toBe(0);
    for (const name of ["unevaluatedProperties", "format hostname", "$anchor", "mine"]) {
      expect(stdout).toContain(`warning not checked: ${name} in s.json`);
    }
  });

  it.each([
    [{ type: "strng" }, "is no type"],
    [{ pattern: "(" }, "is no regular expression"],
    [{ $ref: "other.json" }, "only references within the file"],
    [{ $ref: "#/$defs/none" }, "there is no #/$defs/none"],
    [{ $ref: "#" }, "leads back to itself"],
    [{ anyOf: [{ $ref: "#" }, { $ref: "#" }] }, "leads back to itself"],
    [{ items: [1] }, "prefixItems since 2020-12"],
    [{ minimum: "1" }, "must be a number"],
    [{ pattern: "^(a+)+$" }, "takes too long"],
  ])("C-01 a schema that is wrong itself is 2: %j", (schema, message) => {
    const { status, stdout, stderr } = withSchema(`${"a".repeat(40)}!`, schema);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  it("C-01 a file and a schema that were swapped are checked the right way, and it says so", () => {
    const files = { "c.yaml": "age: -1\n", "s.json": '{"properties": {"age": {"minimum": 0}}}' };
    const { status, stdout, stderr } = run(files, "s.json", "--schema", "c.yaml");
    expect([status, stderr]).toEqual([
      1,
      "note: s.json is the schema, so c.yaml is what is checked\n",
    ]);
    expect(stdout).toContain("c.yaml:1:6 error -1 must be at least 0");
  });
});

describe("C-01 format-check: YAML", () => {
  it.each<[text: string, value: unknown]>([
    ["a: 1\nb: [x, 'y z', {c: null}]\n", { a: 1, b: ["x", "y z", { c: null }] }],
    ["list:\n- a\n- b: 1\n  c: 2\n- - n\n  - m\n", { list: ["a", { b: 1, c: 2 }, ["n", "m"]] }],
    ["- |\n  one\n    two\n\n  x\n- >-\n  a\n  b\n\n  c\n", ["one\n  two\n\nx\n", "a b\nc"]],
    ['a: one\n  two\n\n  three # end\nb: "x\n  y\\tz"\n', { a: "one two\nthree", b: "x y\tz" }],
    ["---\n# c\nx: 0x1F\ny: 1.\n", { x: 31, y: 1 }],
    [
      "a:\n  b:\n    c: -1.5e3\n  d: True\ne: ~\nf:\n",
      { a: { b: { c: -1500 }, d: true }, e: null, f: null },
    ],
    ["{a: 1, b: [1,\n  2], # c\n  c: d}\n", { a: 1, b: [1, 2], c: "d" }],
    [
      "'q k': it''s\nk: 'it''s'\nurl: http://x.y/z#f\n",
      { "q k": "it''s", k: "it's", url: "http://x.y/z#f" },
    ],
    ["时间: 12:30\n名称: 中文 # 注释\n", { 时间: "12:30", 名称: "中文" }],
    ["a: |+\n  x\n\nb: |2\n   y\n", { a: "x\n\n", b: " y\n" }],
    ["", null],
  ])("C-01 reads %j", async (text, value) => {
    const { readYaml } = await lib<{ readYaml: (t: string, f: unknown) => object }>("read-yaml");
    const { plainValue } = await lib<{ plainValue: (node: object) => unknown }>("read-json");
    const { Findings } = await lib<{ Findings: new () => { list: unknown } }>("findings");
    const findings = new Findings();
    const node = readYaml(text, findings);
    expect(findings.list).toEqual([]);
    expect(JSON.stringify(plainValue(node))).toBe(JSON.stringify(value));
  });

  it.each([
    ["a: 1\na: 2\n", '2:1 error the key "a" stands twice, first in line 1'],
    ["a: 1\n\tb: 2\n", "2:1 error a tab in the indentation: YAML allows only blanks"],
    ["a: b: c\n", "1:5 error a colon inside of a plain value"],
    ["a:\n    b: 1\n  c: 2\n", "3:3 error this line"],
    ["a: [1, 2\n", "error a bracket or a brace is left open"],
    ['a: "x\n', "1:4 error this text has no closing quote"],
    ['a: "\\q"\n', "1:4 error \\q is no escape"],
    ["a: @x\n", "1:4 error a value cannot begin with @"],
    ["on: no\n", "1:5 warning no is a text here"],
    ["a: 010\n", "1:4 warning 010 is 10 here"],
  ])("C-01 %j", (text, finding) => {
    expect(check("x.yaml", text).stdout).toContain(finding);
  });

  it.each([
    "a: &x 1\n",
    "a: *x\n",
    "a: !!str 1\n",
    "<<: {a: 1}\n",
    "? a\n",
    "%YAML 1.2\n---\na\n",
    "a\n---\nb\n",
  ])("C-01 refuses %j without calling it wrong", (text) => {
    const { status, stdout } = check("x.yml", text);
    expect(status).toBe(1);
    expect(stdout).toMatch(/x\.yml:\d+:\d+ error .*not supported\n/);
    expect(stdout).toContain("was not read to its end, so it may be valid YAML");
  });

  it("C-01 is checked against a schema like JSON", () => {
    const files = {
      "c.yaml": "ports:\n  - 80\n  - x\n",
      "s.json": '{"properties": {"ports": {"items": {"type": "integer"}}}}',
    };
    expect(run(files, "c.yaml", "--schema", "s.json").lines[0]).toBe(
      "c.yaml:3:5 error must be integer, not string",
    );
  });

  it("C-01 never throws, whatever the text", async () => {
    const { readYaml } = await lib<{ readYaml: (t: string, f: unknown) => unknown }>("read-yaml");
    const { Findings } = await lib<{ Findings: new () => { errors: number } }>("findings");
    const marks = fc.constantFrom(..."ab:-?|>'\"[]{},#&*! \n\t0~\\");
    fc.assert(
      fc.property(fc.string({ unit: marks, maxLength: 60 }), (text) => {
        const findings = new Findings();
        const node = readYaml(text, findings);
        expect(node !== undefined || findings.errors > 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("C-01 format-check: CSV", () => {
  it.each([
    ["a,b\n1\n", "2:1 error 1 cells, 2 are expected"],
    ["a,a\n1,2\n", '1:3 error the column "a" stands twice'],
    ["a,\n1,2\n", "1:3 error a column has no name"],
    ['a,b\n"x"y,1\n', "2:4 error something stands between the closing quote and the separator"],
    ['a,b\nx"y,1\n', "2:2 error a quote inside of a cell that does not begin with one"],
    ['a,b\n1,"open\nmore\n', "2:3 error a quote is opened here and never closed"],
    ["a,b\n\n1,2\n", "2:1 warning an empty line"],
    ["a,b\r\n1,2\n", "1:1 warning line ends are mixed: CRLF and LF"],
    ["", "1:1 error the file is empty"],
    [Buffer.from("a,b\n\0,1\n"), "2:1 error a NUL byte: this is no CSV, or it is UTF-16"],
  ])("C-01 %j", (text, finding) => {
    expect(check("t.csv", text).lines).toContain(`t.csv:${finding}`);
  });

  it("C-01 quotes, line ends in cells, other separators", () => {
    const { status, stdout } = check("t.csv", 'a;b\n"x; ""y""\nz";2\n3;4');
    expect([status, stdout]).toEqual([
      0,
      "t.csv is valid CSV: 0 errors, 0 warnings; 2 rows, 2 columns\n",
    ]);
    expect(check("t.tsv", "a\tb\n1,2\t3\n").status).toBe(0);
    expect(check("t.csv", Buffer.from([0x61, 0x0a, 0xe9, 0x0a])).stdout).toContain("is not UTF-8");
  });

  it("C-01 rules for columns", () => {
    const columns = [
      { name: "id", type: "integer", required: true, unique: true, min: 1 },
      { name: "day", type: "date", max: "2024-12-31" },
      { name: "状态", enum: ["开", "关"] },
      { name: "code", pattern: "^[A-Z]+$", optional: true },
      { name: "amount" },
    ];
    const rules = JSON.stringify({
      csv: { columns, extraColumns: false, ordered: true, maxRows: 3 },
    });
    const table = "id,状态,day,x\n0,开,2024-01-01,\n1,坏,2024-02-30,\n1,关,2025-01-01,\n,关,,\n";
    const { lines } = run({ "t.csv": table, "r.json": rules }, "t.csv", "--rules", "r.json");
    expect(lines.map((line) => line.replace("t.csv:", ""))).toEqual([
      '1:1 error the column "amount" is missing',
      "1:1 error the columns stand in another order",
      '1:11 error the column "x" is not expected',
      '2:1 error id: "0" is below 1',
      '3:3 error 状态: "坏" is not one of 开, 关',
      '3:5 error day: "2024-02-30" is not a date',
      '4:1 error id: "1" stands twice, first in line 3',
      '4:5 error day: "2025-01-01" is above 2024-12-31',
      "5:1 error id: the cell is empty",
      "6:1 error 4 rows, at most 3 are expected",
      "t.csv is not valid CSV: 10 errors, 0 warnings; 4 rows, 4 columns",
    ]);
  });

  it("C-01 100,000 rows; findings beyond 1,000 are counted", () => {
    const { status, stdout } = check(
      "t.csv",
      `a,b\n${"1,2\n".repeat(100_000)}${"1\n".repeat(1500)}`,
    );
    expect(status).toBe(1);
    expect(stdout).toContain("… 500 more are not shown");
    expect(stdout).toContain("1500 errors, 0 warnings; 101500 rows, 2 columns");
  });
});

describe("C-01 format-check: Markdown", () => {
  it("C-01 finds what is broken and leaves code alone", () => {
    const text = [
      "---",
      "name: [x",
      "---",
      "# Title",
      "",
      "### Too deep",
      "",
      "[ok](there%20is.md) ![no](missing.png) [web](https://example.org/x) `[code](no.md)`",
      "[top](#title) [none](#nowhere) [named][other] [use][known]",
      "",
      "[known]: there%20is.md",
      "",
      "| a | b \\| c |",
      "|---|---|",
      "| 1 | 2 |",
      "| 1 |",
      "",
      "~~~md",
      "# no heading",
      "[no](no.md)",
      "```",
      "~~~",
      "",
      "```js",
      "open",
    ].join("\n");
    const { status, lines } = run({ "d/x.md": text, "d/there is.md": "" }, "d/x.md");
    expect(status).toBe(1);
    expect(lines.map((line) => line.replace("d/x.md:", ""))).toEqual([
      expect.stringMatching(/^\d:\d+ error frontmatter: a (?:bracket|comma)/),
      "6:1 error a heading of level 3 follows one of level 1",
      "8:21 error there is no file missing.png",
      "9:15 warning there is no heading for #nowhere",
      "9:32 error the link [other] is defined nowhere",
      "16:1 error the row has 1 cells, the table's header 2",
      "24:1 error this code fence (```) is never closed",
      "d/x.md is not valid Markdown: 6 errors, 1 warning; 2 headings",
    ]);
  });

  it("C-01 rules for sections and headings", () => {
    const markdown = {
      sections: ["Goal", "步骤", "End"],
      ordered: true,
      firstLevel: 1,
      maxLevel: 2,
      fenceLanguage: true,
      maxLineLength: 30,
    };
    const text = `## 步骤\n\n## Goal\n\n### Deep\n\n\`\`\`\nx\n\`\`\`\n\n${"word ".repeat(7)}\n`;
    const files = { "x.md": text, "r.json": JSON.stringify({ markdown }) };
    const { stdout } = run(files, "x.md", "--rules", "r.json");
    expect(stdout).toContain("x.md:1:1 error the first heading must be of level 1");
    expect(stdout).toContain('x.md:1:1 error the section "End" is missing');
    expect(stdout).toContain('x.md:1:1 error the section "步骤" stands too early');
    expect(stdout).toContain("x.md:5:1 error a heading of level 3, at most 2 is allowed");
    expect(stdout).toContain("x.md:7:1 error the code fence names no language");
    expect(stdout).toContain("x.md:11:31 error the line has 35 characters");
  });

  it("C-01 the documents of both new skills are in order", () => {
    for (const skill of ["text-compare", "format-check"]) {
      const file = fileURLToPath(new URL(`../../skills/${skill}/SKILL.md`, import.meta.url));
      expect(run({}, file)).toMatchObject({ status: 0, stderr: "" });
    }
  });
});

describe("C-01 format-check: the command", () => {
  it("C-01 --json, --strict, --exit-zero, --as, several files, names with blanks", () => {
    const files = { "a b.json": "[1,]", "好.txt": "on: yes\n" };
    const { status, stdout } = run(files, "a b.json", "--json");
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      valid: false,
      files: [
        {
          file: "a b.json",
          kind: "json",
          errors: 1,
          findings: [{ line: 1, column: 4, severity: "error" }],
        },
      ],
    });
    expect(run(files, "a b.json", "--exit-zero").status).toBe(0);
    expect(run(files, "好.txt", "--as", "yaml").status).toBe(0);
    expect(run(files, "好.txt", "--as", "yaml", "--strict").status).toBe(1);
    expect(run(files, "好.txt", "a b.json", "--as", "yaml").lines.at(-1)).toContain(
      "a b.json is valid",
    );
  });

  it("C-01 wrong usage and wrong rules are 2", () => {
    const files = {
      "x.json": "{}",
      "t.csv": "a\n",
      "x.txt": "",
      "bad.json": "{",
      "md.json": '{"markdown": {}}',
      "unknown.json": '{"csv": {"colums": []}}',
    };
    const calls = [
      [],
      ["none.json"],
      ["x.txt"],
      ["x.json", "--as", "toString"],
      ["x.json", "--nope"],
      ["t.csv", "--schema", "x.json"],
      ["x.json", "--schema", "bad.json"],
      ["t.csv", "--rules", "md.json"],
      ["t.csv", "--rules", "unknown.json"],
    ];
    for (const args of calls) {
      const { status, stdout, stderr } = run(files, ...args);
      expect([args, status, stdout]).toEqual([args, 2, ""]);
      expect(stderr).toMatch(/^error: /);
    }
    expect(run(files, "t.csv", "--rules", "unknown.json").stderr).toContain(
      'unknown.json:1:10 the key "colums" is not allowed',
    );
    expect(run({}, "--help")).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("N-03 format-check through the agent", () => {
  const files = {
    "project/config.json": '{"age": -1}',
    "project/schema.json": '{"properties": {"age": {"minimum": 0}}}',
    "project/sales.csv": "region,amount\nN,3\n",
    "project/notes.yaml": "a: 1\na: 2\n",
  };
  it.each([
    ["is config.json valid?", "format-check/scripts/check.mjs", "config.json is valid JSON"],
    [
      "validate config.json against schema.json",
      "format-check/scripts/check.mjs",
      "-1 must be at least 0",
    ],
    ["用 schema.json 校验 config.json", "format-check/scripts/check.mjs", "-1 must be at least 0"],
    ["校验 notes.yaml 的格式", "format-check/scripts/check.mjs", "stands twice, first in line 1"],
    ["what is in sales.csv?", "tabular-data/scripts/profile.mjs", "1 rows, 2 columns"],
    ["convert 10 miles to km", "unit-convert/scripts/convert.mjs", "16.09344"],
  ])("N-03 M-02 %s", (request, script, expected) => {
    const args = ["run", request, "--yes=run_script", "--model", "offline", "--cwd", "project"];
    const { status, stdout, stderr } = builtCli(args, temporaryFolder(files));
    expect([status, stderr]).toEqual([0, expect.stringContaining(`${script} (exit 0)`)]);
    expect(stdout).toContain(expected);
  });

  it("C-01 the skill is lint-clean, and its evals name files that are there", () => {
    const { status, stdout } = builtCli(["lint", "--strict", SKILL], temporaryFolder());
    expect([status, stdout]).toEqual([0, expect.stringContaining("No problems")]);
    const text = readFileSync(join(SKILL, "evals/evals.json"), "utf8");
    const { evals } = JSON.parse(text) as { evals: { files: string[]; expectations: string[] }[] };
    expect(evals.length).toBeGreaterThanOrEqual(6);
    for (const path of evals.flatMap((one) => one.files)) readFileSync(join(SKILL, path));
    const negative = evals.filter((one) => one.expectations.some((text) => /not used/.test(text)));
    expect(negative).toHaveLength(2);
  });
});
