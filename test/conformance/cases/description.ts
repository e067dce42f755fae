import { type ConformanceCase, fileOf, inBothModes } from "./conformance-case.ts";

const described = (id: string, lines: string, rest: Partial<ConformanceCase>): ConformanceCase => ({
  id,
  requirement: "F-02",
  text: fileOf(`name: dates\n${lines}`),
  codes: [],
  loaded: true,
  ...rest,
});

const absent = (id: string, lines: string, ...others: string[]): ConformanceCase =>
  described(id, lines, { codes: ["error:description-missing", ...others], loaded: false });

const long = (length: number, character = "x") => `description: ${character.repeat(length)}`;

export const descriptionCases: readonly ConformanceCase[] = [
  absent("no description", "license: MIT"),
  absent("a description in quotes that is empty", 'description: ""'),
  absent("a description of blanks", 'description: " \\t\\n "'),
  absent("a blank block", "description: |\n\n\nlicense: MIT"),
  absent("no value", "description:", "warning:field-type"),
  absent("null", "description: null", "warning:field-type"),
  absent("only a comment", "description: # to do", "warning:field-type"),
  absent("a list", "description: [a, b]", "warning:field-type"),
  absent("a mapping", "description:\n  short: a", "warning:field-type"),
  described("no description in strict mode", "license: MIT", {
    strict: true,
    codes: ["error:description-missing"],
    loaded: false,
    at: [2, 1],
  }),
  described("one character", "description: x", { strict: true, skill: { description: "x" } }),
  described("1,024 characters", long(1024), { strict: true }),
  described("1,024 characters outside of the basic plane", long(1024, "😀"), { strict: true }),
  described("1,024 characters and a newline", `description: |\n  ${"x".repeat(1024)}`, {
    strict: true,
  }),
  ...inBothModes(
    described("1,025 characters", long(1025), {
      codes: ["warning:description-too-long"],
      at: [3, 14],
      skill: { description: "x".repeat(1025) },
    }),
    "description-too-long",
  ),
  ...inBothModes(
    described("a description that is a number", "description: 42", {
      codes: ["warning:field-type"],
      at: [3, 14],
      hint: '"42"',
      skill: { description: "42" },
    }),
    "field-type",
  ),
  ...inBothModes(
    described("a description that is a boolean", "description: true", {
      codes: ["warning:field-type"],
      skill: { description: "true" },
    }),
    "field-type",
  ),
  ...inBothModes(
    described("a description that is a date", "description: 2026-11-15", {
      codes: ["warning:value-ambiguous"],
      at: [3, 14],
      skill: { description: "2026-11-15" },
    }),
  ),
  described("blanks around it are left out", 'description: "  a b  "', {
    skill: { description: "a b" },
  }),
  described("line breaks inside are kept", "description: |\n  a\n\n  b\n", {
    skill: { description: "a\n\nb" },
  }),
];
