import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { yamlText } from "../../../../test/arbitraries/yaml-text.ts";
import { isSystem, numRuns } from "../../../../test/support/suite.ts";
import { readSkillMetadata } from "../internal/index.ts";
import { parseHead, readUsualHead } from "./index.ts";

const RUNS = numRuns(20_000);

const line = (...lines: string[]) => fc.constantFrom("", ...lines.map((text) => `${text}\n`));
const heads = fc.tuple(
  line(
    "name: pdf",
    "name: pdf",
    "name: pdf",
    'name: "pdf"',
    "name: Pdf Tools",
    "name: pdf # c",
    "name: true",
    "name: <a>",
    "name: 1-a",
    "name: 1e5",
    "name: 0x-a",
  ),
  line(
    "description: Reads it. Use when asked.",
    "description: Reads it, and more.",
    "description: Writes it.",
    'description: "Reads \\"it\\" \\u2014 a\\nb"',
    'description: "a\\u200bb"',
    "description: 'it''s'",
    "description: Reads it\n  and more\n  - so",
    'description: "Reads\n  it"',
    "description: >+\n  Reads\n  it\n\n",
    "description: |\n  a\n\n  b",
    "description: a <b>",
    "description: 3D models. Use when asked.",
    "description: 2001-12-14 21:59:43 is when",
    "description: 0x1f and more",
    "description: 1_000 it is: so",
    "description: ⚡️ fast 🔥 and 👩‍💻",
    `description: "${"long ".repeat(300)}"`,
    `description: ${"long é ".repeat(200)}`,
    `description: >-\n${"  long text\n".repeat(120)}`,
    `description: '${"a".repeat(1000)}\n  ${"b".repeat(100)}'`,
    "description: # c",
    "description: null ",
    "description: true  ",
    "description: No ",
    "description: 'yes' ",
    "description: |\n  a\n\n  # c\n\n# d",
    "description: Reads it. Triggers: a, b",
    'description: Use when: it\'s "asked" # c',
    "description: Use: a\n  and: b",
  ),
  line(
    "version: 1.2.3",
    "license: MIT: mine",
    "version: 1.2",
    "version: 2026-01-01 pdf",
    'version: "1.2"',
    "user-invocable: false # c",
    "user_invocable: false",
    "userInvokable: false",
    "allowed_tools:\n  - Read",
    "allowedTools: Read\nallowed-tools: Bash",
    "Allowed-Tools: [Read]",
    "licence: MIT",
    "License: MIT\nVersion: 1.2.3",
    "Disable_Model_Invocation: true # c",
    "Name: other",
    "name: again",
    "name: [again]",
    "description: Again.",
    "description:\n  - again",
    "descriptions: a",
    "disable-model-invocation: true",
    "context: fork",
    "context: [fork]",
    "run-mode: subagent",
    'metadata: {"a":{"b":[1,"c"]},"d":"é"}',
    'metadata: {"a":1,"a":2}',
    'metadata: {"a": {"b": ["c d", "e"]}}',
    'metadata: { "a": 1, "a": 2 }',
    'metadata: {"a":"b: c"}',
    "metadata:\n  a: b\n  c:\n    - d\n    - e\n  f:\n    g: h",
    "hooks:\n  PreToolUse:\n    - matcher: Bash\n      command: check.sh # c",
    "hooks:\n  Stop:\n  - hooks:\n    - type: a\n      run: b\n    - type: c\n  - hooks:\n    - d: e",
    "hooks:\n  Stop:\n    - a: b\n      c: d\n      a: e",
    "hooks:\n  Stop:\n    - a: b\n       c: d\n    -  e: f",
    "tags: [a, 'b', \"c d\"]",
    "metadata:\n  author: me # c\n  version: 1.0\n  on: 'it''s'\n  none: ~\n  e:\n  f: \"a \\\"b\\\" \\n\"",
    "metadata:\n  a: [b, c]\n  d:\n  - e: f\n    g: h\n  i:\n    - j: k\n  l: null\n  m: no",
    'metadata: {"a":"b","c":1.5,"d":null,"e":["f"],"g":true}',
    "metadata:\n  - a\n  - b",
    "metadata: text",
    "metadata:\n  a:\n    b: c # d\n  # e: f\n\n",
    "allowed-tools: Read, Bash(git:*) Write # c",
    "allowed-tools: 'Read Bash [x]'",
    "allowed-tools: [Read, \"Bash(git:*)\", 'Write', Bash (a), true, 1]",
    'allowed-tools: ["Read","Agent(a, b)"] # c',
    "allowed-tools: []",
    "allowed-tools:\n  - Read\n  - Bash(git add:*)\n  - \"mcp__a__*\"\n  - 'x y'\n",
    "allowed-tools:\n- Agent(a\n- b)",
    "allowed-tools:\n  a:\n    - Read",
    "allowed-tools: true",
    "allowed-tools:",
    "constructor: a",
  ),
  fc.oneof(yamlText({ references: true }), fc.constant(""), fc.constant("")),
);
const texts = fc
  .tuple(
    heads,
    fc.nat(),
    fc.constantFrom("", "", "", "", "", "", "", "", "", "\n", " ", "-", ":", "#", '"', "\t", "é"),
  )
  .map(([parts, place, added]) => {
    const text = `---\n${parts.join("")}---\n`;
    const at = place % text.length;
    return added === "" ? text : text.slice(0, at) + added + text.slice(at);
  });

describe("readUsualHead", () => {
  it("R-01 reads what the parser reads, with the same diagnostics, or nothing", () => {
    let usual = 0;
    fc.assert(
      fc.property(texts, fc.constantFrom("pdf", "other", "Ä<"), (text, directoryName) => {
        const isAscii = Buffer.byteLength(text) === text.length;
        const options = { file: "/skills/SKILL.md", directoryName };
        const parsed = parseHead({ text, isAscii }, options);
        // A promise is the parser's.
        if (parsed instanceof Promise) return;
        usual++;
        const expected = readSkillMetadata(text, options);
        expect(parsed).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
    // Few enough that the fast suite, with its 100 runs, always has one.
    expect(usual).toBeGreaterThan(isSystem ? RUNS / 25 : 0);
  });

  it("R-01 leaves a version that starts with a date to the parser", () => {
    const head = (version: string) =>
      `---\nname: pdf\ndescription: Reads PDF files.\nversion: ${version}\n---\n`;
    expect(readUsualHead(head("2026-01-01 pdf"), true, "pdf")).toBeUndefined();
    expect(readUsualHead(head("2 pdf"), true, "pdf")).toBeDefined();
  });

  it.each([
    ["keys", `---\n${Array.from({ length: 500 }, (_, i) => `k${i}: v\n`).join("")}x`],
    ["nested keys", `---\na:\n${Array.from({ length: 500 }, (_, i) => ` k${i}: v\n`).join("")}x`],
    [
      "keys of an item",
      `---\na:\n b:\n  - k: v\n${Array.from({ length: 500 }, (_, i) => `    k${i}: v\n`).join("")}x`,
    ],
    ["maps in a list", `---\na:\n b:\n${"  - k: v\n    l: w\n".repeat(500)}x`],
    ["lists in lists", `---\na:\n b:\n${"  - k:\n    - l: w\n".repeat(500)}x`],
    ["items", `---\na:\n${"- x\n".repeat(1000)}x`],
    ["blanks", `---\na: b${" ".repeat(4000)}\x01`],
    ["hashes", `---\na: ${"# ".repeat(2000)}\x01`],
    ["colons", `---\na: ${"b:".repeat(2000)} `],
    ["quotes", `---\na: ${"'".repeat(4001)}`],
    ["words", `---\na: [${"b, ".repeat(1300)}`],
    ["braces", `---\na: {"${"}".repeat(4000)}`],
    ["comments", `---\n${"#\n".repeat(2000)}x`],
    ["block lines", `---\ndescription: |\n${" x\n".repeat(1300)}x`],
    ["blocks", `---\n${"description: |\n\n\n".repeat(300)}x`],
    ["blank lines", `---\ndescription: |\n a\n${"\n".repeat(2400)}${"k: v\n".repeat(500)}x`],
    ["text lines", `---\ndescription: a\n${" b\n".repeat(1300)} `],
    ["quoted lines", `---\ndescription: "a\n${" b\n".repeat(1300)}`],
    ["levels", `---\n${Array.from({ length: 80 }, (_, i) => `${" ".repeat(i)}a:\n`).join("")}x`],
  ])("R-01 gives up on many %s at once", (_, text) => {
    const start = performance.now();
    expect(readUsualHead(text, true, "a")).toBeUndefined();
    // An expression that backtracks would need years; this is only more than a busy machine needs.
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
