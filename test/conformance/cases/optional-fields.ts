import { type ConformanceCase, fileWith, inBothModes } from "./conformance-case.ts";

const row = (id: string, lines: string, rest: Partial<ConformanceCase>): ConformanceCase => ({
  id,
  requirement: "F-03",
  text: fileWith(lines),
  codes: [],
  loaded: true,
  ...rest,
});

const mistyped = (id: string, lines: string, rest: Partial<ConformanceCase>) =>
  inBothModes(row(id, lines, { codes: ["warning:field-type"], ...rest }), "field-type");

/** A metadata value that is no text but becomes the text that stands in the file. */
const converted = (written: string) =>
  inBothModes(
    row(`metadata: ${written} becomes text`, `metadata:\n  key: ${written}`, {
      codes: ["warning:metadata-value"],
      at: [5, 8],
      hint: `"${written}"`,
      skill: { metadata: { key: written }, extra: {} },
    }),
  );

export const optionalFieldCases: readonly ConformanceCase[] = [
  row("license", "license: Apache-2.0", { strict: true, skill: { license: "Apache-2.0" } }),
  row("license with a file name", "license: Proprietary. See LICENSE.txt", {
    strict: true,
    skill: { license: "Proprietary. See LICENSE.txt" },
  }),
  ...mistyped("a license without a value", "license:", { at: [4, 8] }),
  ...mistyped("a list of licenses", "license: [MIT, Apache-2.0]", { at: [4, 10] }),
  ...mistyped("a license that is a number", "license: 0", { skill: { license: "0" } }),
  row("compatibility", 'compatibility: "Requires Python 3.10+"', {
    strict: true,
    skill: { compatibility: "Requires Python 3.10+" },
  }),
  row("compatibility of 500 characters", `compatibility: ${"x".repeat(500)}`, { strict: true }),
  ...inBothModes(
    row("compatibility of 501 characters", `compatibility: ${"x".repeat(501)}`, {
      codes: ["warning:compatibility-too-long"],
      at: [4, 16],
    }),
    "compatibility-too-long",
  ),
  ...mistyped("compatibility as a mapping", "compatibility:\n  python: '3'", { at: [5, 3] }),
  row("metadata", 'metadata:\n  author: example-org\n  version: "1.0"', {
    strict: true,
    skill: { metadata: { author: "example-org", version: "1.0" }, extra: {} },
  }),
  row("metadata on one line", 'metadata: {a: b, "c d": "e"}', {
    strict: true,
    skill: { metadata: { a: "b", "c d": "e" } },
  }),
  row("empty metadata", "metadata: {}", { strict: true, skill: { metadata: {}, extra: {} } }),
  row("metadata does not stand in for fields", "metadata:\n  version: x\n  license: y", {
    strict: true,
    skill: { metadata: { version: "x", license: "y" } },
  }),
  ...converted("1.10"),
  ...converted("42"),
  ...converted("true"),
  ...converted("null"),
  row("a metadata key without a value", "metadata:\n  key:", {
    codes: ["warning:metadata-value"],
    at: [5, 3],
    skill: { metadata: { key: "" } },
  }),
  row("a list in metadata is kept aside", "metadata:\n  a: b\n  tags: [x, y]", {
    codes: ["warning:extra-nested"],
    at: [6, 3],
    skill: { metadata: { a: "b" }, extra: { metadata: { tags: ["x", "y"] } } },
  }),
  row("a mapping in metadata is kept aside", "metadata:\n  requires:\n    bins: [git]\n  a: b", {
    codes: ["warning:extra-nested"],
    at: [5, 3],
    skill: { metadata: { a: "b" }, extra: { metadata: { requires: { bins: ["git"] } } } },
  }),
  ...mistyped("metadata as text", "metadata: x", {
    at: [4, 11],
    skill: { metadata: {}, extra: { metadata: "x" } },
  }),
  ...mistyped("metadata as a list", "metadata: [a, b]", {
    skill: { metadata: {}, extra: { metadata: ["a", "b"] } },
  }),
  ...mistyped("metadata without a value", "metadata:", { skill: { metadata: {}, extra: {} } }),
  row("no optional field at all", "# nothing", {
    strict: true,
    skill: { metadata: {}, extra: {}, runMode: "inline", hiddenFromModel: false },
  }),
];
