import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import type { Diagnostic } from "../index.ts";
import type { FolderIndex } from "../internal/index.ts";
import type { IndexedFolder } from "../sources/index.ts";
import { decodeIndex, encodeIndex } from "./index.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("", "a\nb", "\r", "\0", "é", "\ud800", "\u2028", "报告", '"\\'),
);
const name = text.filter((one) => one !== "" && one !== ".." && !one.includes("/"));
const metadata = fc.record(
  {
    name,
    description: text,
    disableModelInvocation: fc.boolean(),
    userInvocable: fc.boolean(),
    runMode: fc.constantFrom("inline" as const, "subagent" as const),
    hiddenFromModel: fc.boolean(),
    version: text,
    metadata: fc.dictionary(
      text.filter((key) => key !== "__proto__"),
      text,
      { noNullPrototype: true },
    ),
    allowedTools: fc.array(
      fc.record({ tool: text, specifier: text }, { requiredKeys: ["tool"], noNullPrototype: true }),
    ),
  },
  {
    requiredKeys: [
      "name",
      "description",
      "disableModelInvocation",
      "userInvocable",
      "runMode",
      "hiddenFromModel",
    ],
  },
);
const diagnostic: fc.Arbitrary<Diagnostic> = fc.record(
  {
    code: text,
    severity: fc.constantFrom("error" as const, "warning" as const),
    message: text,
    file: fc.constantFrom("OWN", "/other"),
    line: fc.nat(),
    column: fc.nat(),
    endLine: fc.nat(),
    endColumn: fc.nat(),
    hint: text,
    effect: fc.constant("hidden" as const),
    fix: fc.constant([{ start: 1, end: 2, text: "é" }]),
  },
  {
    requiredKeys: ["code", "severity", "message", "file", "line", "column", "endLine", "endColumn"],
  },
);
const skill = fc.record(
  {
    stamp: text,
    racy: fc.constant(true),
    metadata,
    diagnostics: fc.array(diagnostic, { maxLength: 2 }),
  },
  { requiredKeys: ["stamp", "diagnostics"] },
);
const folder = fc.record({
  path: fc.array(name, { maxLength: 2 }).map((parts) => parts.join("/")),
  stamp: text,
  skills: fc.uniqueArray(fc.tuple(name, skill), { selector: ([own]) => own, maxLength: 4 }),
  folders: fc.array(name, { maxLength: 3 }),
  links: fc.array(name, { minLength: 1, maxLength: 2 }),
});
type Drawn = typeof skill extends fc.Arbitrary<infer T> ? T : never;

const indexes = fc
  .uniqueArray(folder, { selector: ({ path }) => path, maxLength: 4 })
  .map((parts): FolderIndex => {
    const folders = parts.map(({ path, skills, ...rest }): [string, IndexedFolder] => {
      const prefix = path === "" ? "" : `${path}/`;
      const placed = skills.map(([own, one]) => place(prefix + own, one));
      return [path, { ...rest, skills: placed }];
    });
    return { source: "project", root: "/root", folders: new Map(folders) };
  });

function place(relativePath: string, { diagnostics, ...rest }: Drawn) {
  const directory = `/root/${relativePath}`;
  const located = diagnostics.map((one) =>
    one.file === "OWN" ? { ...one, file: `${directory}/SKILL.md` } : one,
  );
  return {
    source: "project",
    root: "/root",
    relativePath,
    directory,
    diagnostics: located,
    ...rest,
  };
}

describe("an index on disk", () => {
  it("R-09 is read as it was written, whatever names and texts hold", () => {
    fc.assert(
      fc.property(indexes, text, (index, root) => {
        expect(decodeIndex(root, encodeIndex(root, index))).toEqual(index);
      }),
      { numRuns: numRuns(1000) },
    );
  });

  it("R-09 is not read when a byte of it has changed, or of another root", () => {
    fc.assert(
      fc.property(indexes, fc.nat(), fc.integer({ min: 1, max: 255 }), (index, place, by) => {
        const bytes = encodeIndex("/root", index);
        expect(decodeIndex("/other", bytes)).toBeUndefined();
        const at = place % bytes.length;
        bytes[at] = ((bytes[at] ?? 0) + by) % 256;
        expect(decodeIndex("/root", bytes)).toBeUndefined();
      }),
    );
  });
});
