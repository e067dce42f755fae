import fc from "fast-check";
import type { ParsedSkill, ToolRule } from "@skillwright/core/internal";
import { anyUnits } from "./hostile-text.ts";

const WORDS = [
  "a",
  "Use when",
  "x: y",
  "- b",
  "#c",
  "it's",
  '"q"',
  "---",
  "1.10",
  "true",
  "[x]",
  "é",
  "😀",
  "\\",
  "\n",
  "\n\n  ",
  "\t",
  "  ",
  "|",
  "&a",
  "*a",
  "!t",
  "%",
  "@",
];

/** Text as people write it and as nobody does; never with CR, which is not kept. */
const text: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(fc.constantFrom(...WORDS), { maxLength: 8 })
      .map((parts) => parts.join(" ")),
  },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 1, arbitrary: anyUnits },
);

const name = fc.stringMatching(/^[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,5}$/);
const key = fc.oneof(
  fc.stringMatching(/^[a-z][a-z-]{0,12}$/),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("---", "...", "- a", "a: b", "true", "1", "", "#", "? a", "a\nb"),
);

const toolRule: fc.Arbitrary<ToolRule> = fc.record(
  {
    tool: fc.stringMatching(/^[A-Za-z_][\w.-]{0,12}$/),
    specifier: fc.stringMatching(/^[a-z*: ,./~$"'#-]{0,12}(\([a-z* ]{0,6}\))?[a-z*]$/),
  },
  { requiredKeys: ["tool"] },
);

const scalar = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.double({ noNaN: true }),
);
const { value } = fc.letrec<{ value: ParsedSkill["extra"][string] }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    mapOf(tie("value")),
  ),
}));

function mapOf<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Record<string, Value>> {
  return fc
    .array(fc.tuple(key.filter(isFreeKey), values), { maxLength: 4 })
    .map((entries) => Object.fromEntries(entries));
}

function isFreeKey(key: string): boolean {
  return !(key in {}) && key !== "prototype";
}

/** Keys that the parser would take for its own, in any spelling. */
const OWN =
  /^(?:name|description|license|compatibility|version|author|metadata|context|allowedtools?|disablemodelinvo[ck]ation|userinvo[ck]ab(?:le|el)|runmode)$/;

const extra = mapOf(value).map((entries) =>
  Object.fromEntries(
    Object.entries(entries).filter(([key]) => !OWN.test(key.toLowerCase().replace(/[-_\s]/g, ""))),
  ),
);

export type WrittenSkill = Omit<ParsedSkill, "bodyLine" | "hiddenFromModel">;

/** A skill with any content that a SKILL.md can hold. */
export const writtenSkill: fc.Arbitrary<WrittenSkill> = fc.record(
  {
    name,
    description: text.map((words) => words.trim()).filter((words) => words !== ""),
    license: text,
    compatibility: text,
    version: text,
    author: text,
    metadata: mapOf(text),
    allowedTools: fc.array(toolRule, { maxLength: 4 }),
    disableModelInvocation: fc.boolean(),
    userInvocable: fc.boolean(),
    runMode: fc.constantFrom("inline", "subagent"),
    extra,
    body: text.map((words) => words.replaceAll("\r", "")),
  },
  {
    requiredKeys: [
      "name",
      "description",
      "metadata",
      "disableModelInvocation",
      "userInvocable",
      "runMode",
      "extra",
      "body",
    ],
  },
);
