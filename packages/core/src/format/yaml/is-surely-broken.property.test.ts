import fc from "fast-check";
import { expect, it } from "vitest";
import { yamlText } from "../../../../../test/arbitraries/yaml-text.ts";
import { numRuns } from "../../../../../test/support/suite.ts";
import { isSurelyBroken, readYaml } from "../testing.ts";

const RUNS = numRuns(20_000);

const lines = fc.constantFrom(
  "description: Reads it. Note: all of it.",
  "name: pdf",
  'title: "a: b"',
  'title: "a',
  "title: 'it",
  '  "quoted',
  'b: c: d"',
  "c: d: e'",
  "text: |",
  "text: >-",
  "  more: text: here",
  "more",
  "- item: a: b",
  "list: [a",
  "a: b: c]",
  "map: {",
  "a: b: c}",
  "# note: b: c",
  "key: value # so: it: is",
  "|",
  "...",
  "---",
  "--- |",
  "? a",
  "&a b: c",
  "*a",
  "",
  " ",
);
const texts = fc.oneof(
  fc.array(lines, { minLength: 1, maxLength: 6 }).map((parts) => `${parts.join("\n")}\n`),
  fc
    .tuple(yamlText({ references: true }), lines, yamlText({ references: true }))
    .map((parts) => parts.join("\n")),
);

it("F-07 says that a text is broken only when YAML refuses it as a whole", () => {
  let broken = 0;
  fc.assert(
    fc.property(texts, (text) => {
      if (!isSurelyBroken(text)) return;
      broken++;
      expect(readYaml(text)).toMatchObject({ ok: false, problem: "invalid" });
    }),
    {
      numRuns: RUNS,
      examples: [["text: |\ntext: >-\n...\n|\ndescription: Reads it. Note: all of it.\n"]],
    },
  );
  expect(broken).toBeGreaterThan(RUNS / 50);
});
