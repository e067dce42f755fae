import { type ConformanceCase, fileOf, fileWith, inBothModes } from "./conformance-case.ts";

/** A description that is read as if it were quoted; `hint` shows how it should be written. */
const repaired = (id: string, value: string, hint: string, description = value) =>
  inBothModes(
    {
      id,
      requirement: "F-07",
      text: fileOf(`name: dates\ndescription: ${value}`),
      codes: ["warning:yaml-repaired"],
      loaded: true,
      at: [3, 14],
      hint: `write description: ${hint}`,
      skill: { name: "dates", description, extra: {} },
    },
    "yaml-repaired",
  );

const beyondRepair = (id: string, lines: string, code = "yaml-invalid"): ConformanceCase => ({
  id: `${id} is left alone`,
  requirement: "F-07",
  text: fileWith(lines),
  codes: [`error:${code}`],
  loaded: false,
});

const several = fileOf(
  "name: dates\ndescription: Use when: x\nargument-hint: [file] - optional\nversion: 1.10\nauthor: a: b",
);

export const recoveryCases: readonly ConformanceCase[] = [
  ...repaired("a colon and a blank", "Use when: dates", '"Use when: dates"'),
  ...repaired("a colon at the end", "Use when:", '"Use when:"'),
  ...repaired("several colons", "A: b: c", '"A: b: c"'),
  ...repaired("a bracket with text after it", "[file] - optional", '"[file] - optional"'),
  ...repaired("a brace with text after it", "{name} is replaced", '"{name} is replaced"'),
  ...repaired("two brackets", "[from] [to]", '"[from] [to]"'),
  ...repaired("an at sign", "@file to read", '"@file to read"'),
  ...repaired("a backtick", "`date` formats", '"`date` formats"'),
  ...repaired("a per cent sign", "%d is a day", '"%d is a day"'),
  ...repaired("a comma at the start", ", then", '", then"'),
  ...repaired("a closing bracket at the start", "] then", '"] then"'),
  ...repaired("double quotes inside", 'Say "x": y', `'Say "x": y'`),
  ...repaired("both quotes inside", `Don't say "x": y`, `'Don''t say "x": y'`),
  ...repaired("a backslash inside", "C:\\d: e", "'C:\\d: e'"),
  ...repaired("a comment behind it stays one", "Use: x # note", '"Use: x"', "Use: x"),
  ...repaired("lines below", "Use: x\n  and y", '"Use: x\n  and y"', "Use: x and y"),
  ...repaired(
    "a colon in a line below",
    "Use\n  when it is: y",
    '"Use\n  when it is: y"',
    "Use when it is: y",
  ),
  {
    id: "several values, and the others as they were",
    requirement: "F-07",
    text: several,
    codes: [
      "info:key-unknown",
      "warning:field-type",
      "warning:yaml-repaired",
      "warning:yaml-repaired",
      "warning:yaml-repaired",
    ],
    loaded: true,
    at: [3, 14],
    skill: {
      description: "Use when: x",
      version: "1.10",
      author: "a: b",
      extra: { "argument-hint": "[file] - optional" },
    },
  },
  {
    id: "positions after a repair are those of the file",
    requirement: "F-07",
    text: fileOf("name: dates\ndescription: Use: x\nversion: 1.10"),
    strict: true,
    codes: ["error:field-type", "error:yaml-repaired"],
    loaded: false,
    at: [3, 14],
  },
  {
    id: "a value that parses is never touched",
    requirement: "F-07",
    text: fileOf("name: dates\ndescription: at 10:30 [or later] {so}\ntags: [a, b]"),
    codes: ["info:key-unknown"],
    loaded: true,
    skill: { description: "at 10:30 [or later] {so}", extra: { tags: ["a", "b"] } },
  },
  beyondRepair("a quoted value", 'author: "a" b: c'),
  beyondRepair("an anchor", "author: &a [b] c"),
  beyondRepair("an alias", "author: *a b: c"),
  beyondRepair("a tag", "author: !a b: c", "yaml-tag"),
  beyondRepair("an open list", "tags: [a, b"),
  beyondRepair("an open list with a colon", "tags: [a, b: c"),
  beyondRepair("an open mapping", "tags: {a: b, c"),
  beyondRepair("a block header with text", "author: > a: b"),
  beyondRepair("a nested value", "metadata:\n  a: b: c"),
  beyondRepair("a list item", "tags:\n  - a: b: c"),
  beyondRepair("an indicator of a list", "author: - a: b"),
  beyondRepair("a repair that would not help", "author: a: b\nlicense: 'x"),
  beyondRepair("a duplicate key", "name: other", "yaml-duplicate-key"),
  beyondRepair("a prototype key", "__proto__: a: b"),
  beyondRepair(
    "a file with more than sixteen slips",
    Array.from({ length: 17 }, (_, i) => `k${i}: a: b`).join("\n"),
  ),
];
