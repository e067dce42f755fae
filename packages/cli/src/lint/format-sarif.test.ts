import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import sarifSchema from "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json" with { type: "json" };
import type { Diagnostic } from "@skillwright/core";
import type { Rule } from "@skillwright/core/internal";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatSarif, type LintedFile } from "./index.ts";

interface Region {
  startLine: number;
  startColumn: number;
  endLine: number;
  endColumn: number;
}

interface ArtifactLocation {
  uri: string;
  uriBaseId?: string;
}

interface Replacement {
  deletedRegion: Region;
  insertedContent?: { text: string };
}

interface Result {
  ruleId: string;
  ruleIndex: number;
  level: string;
  message: { text: string };
  locations: [{ physicalLocation: { artifactLocation: ArtifactLocation; region: Region } }];
  partialFingerprints: { "skillwright/v1": string };
  fixes?: {
    artifactChanges: { artifactLocation: ArtifactLocation; replacements: Replacement[] }[];
  }[];
}

interface Run {
  tool: { driver: { rules: { id: string }[] } };
  columnKind: string;
  results: Result[];
}

const CWD = resolve("/repo");
const FILE = resolve(CWD, "skills/pdf/SKILL.md");
const TEXT = "---\nname: pdf-tool\ndescription: Reads\n---\n";

const RULE: Rule = {
  code: "name-mismatch",
  severity: "warning",
  strict: "error",
  summary: "name is not the name of its directory",
  explanation: "Clients look a skill up by its directory.",
  example: { bad: "name: pdf-tool", good: "```yaml\nname: pdf\n```" },
};

// Says the same as the published sarif-2.1.0.json, but as draft-04, whose `id` Ajv 8 refuses; no
// keyword in it means anything else since. One of its patterns is only valid without the u flag.
const { id: _id, $schema: _draft, ...schema } = sarifSchema;
const ajv = new Ajv({ strict: false, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);

function diagnostic(changes: Partial<Diagnostic> = {}): Diagnostic {
  return {
    code: "name-mismatch",
    severity: "error",
    message: "name is not the name of its directory",
    file: FILE,
    line: 2,
    column: 7,
    endLine: 2,
    endColumn: 15,
    ...changes,
  };
}

function format(files: readonly LintedFile[]): string {
  return formatSarif(files, { cwd: CWD, version: "1.2.3", rules: [RULE] });
}

/** The only run of the log, after checking that the log is SARIF. */
function runOf(files: readonly LintedFile[]): Run {
  const log: unknown = JSON.parse(format(files));
  validate(log);
  expect(validate.errors).toBeNull();
  const [run] = (log as { runs: [Run] }).runs;
  return run;
}

function resultsOf(text: string, ...diagnostics: Diagnostic[]): Result[] {
  return runOf([{ file: FILE, text, diagnostics }]).results;
}

describe("formatSarif", () => {
  it("F-06 is checked against a schema that rejects", () => {
    expect(validate({ version: "2.1.0", runs: [{ results: [] }] })).toBe(false);
    expect(validate({ version: "2.1.0", runs: [], extra: 1 })).toBe(false);
  });

  it("F-06 writes a valid log without findings", () => {
    expect(JSON.parse(format([]))).toEqual({
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "skillwright", version: "1.2.3", rules: [] } },
          columnKind: "utf16CodeUnits",
          results: [],
        },
      ],
    });
    expect(runOf([]).results).toEqual([]);
  });

  it("F-06 writes a finding and describes its rule", () => {
    const found = diagnostic({ hint: "Call it pdf", fix: [{ start: 10, end: 18, text: "pdf" }] });
    const run = runOf([{ file: FILE, text: TEXT, diagnostics: [found] }]);
    const artifactLocation = { uri: "skills/pdf/SKILL.md", uriBaseId: "%SRCROOT%" };
    const region = { startLine: 2, startColumn: 7, endLine: 2, endColumn: 15 };
    expect(run.tool.driver.rules).toEqual([
      {
        id: "name-mismatch",
        name: "NameMismatch",
        shortDescription: { text: "name is not the name of its directory" },
        fullDescription: { text: "Clients look a skill up by its directory." },
        help: {
          text: "Clients look a skill up by its directory.\n\nBad:\n\nname: pdf-tool\n\nGood:\n\n```yaml\nname: pdf\n```",
          markdown:
            "Clients look a skill up by its directory.\n\nBad:\n\n```\nname: pdf-tool\n```\n\nGood:\n\n````\n```yaml\nname: pdf\n```\n````",
        },
        defaultConfiguration: { level: "warning" },
      },
    ]);
    expect(run.results).toEqual([
      {
        ruleId: "name-mismatch",
        ruleIndex: 0,
        level: "error",
        message: { text: "name is not the name of its directory\nhint: Call it pdf" },
        locations: [{ physicalLocation: { artifactLocation, region } }],
        partialFingerprints: { "skillwright/v1": expect.stringMatching(/^[0-9a-f]{32}$/) },
        fixes: [
          {
            description: { text: "Call it pdf" },
            artifactChanges: [
              {
                artifactLocation,
                replacements: [{ deletedRegion: region, insertedContent: { text: "pdf" } }],
              },
            ],
          },
        ],
      },
    ]);
  });

  it("F-06 refers to each rule by its place among those used, known or not", () => {
    const codes = ["zeta", "name-mismatch", "alpha-beta", "zeta"];
    const run = runOf([
      { file: FILE, text: TEXT, diagnostics: codes.map((code) => diagnostic({ code })) },
    ]);
    const ids = run.tool.driver.rules.map(({ id }) => id);
    expect(ids).toEqual(["alpha-beta", "name-mismatch", "zeta"]);
    expect(run.results.map(({ ruleIndex }) => ids[ruleIndex])).toEqual(codes);
  });

  it("F-06 turns severities into levels", () => {
    const severities = ["error", "warning", "info"] as const;
    const results = resultsOf(TEXT, ...severities.map((severity) => diagnostic({ severity })));
    expect(results.map(({ level }) => level)).toEqual(["error", "warning", "note"]);
  });

  it("F-06 keeps fingerprints when lines move, and tells equal findings apart", () => {
    const prints = (text: string, ...lines: number[]): string[] =>
      resultsOf(text, ...lines.map((line) => diagnostic({ line, endLine: line }))).map(
        (result) => result.partialFingerprints["skillwright/v1"],
      );
    const before = prints("a\nb\na\n", 1, 2, 3);
    expect(new Set(before).size).toBe(3);
    expect(prints("new\n\n  a\nb\n\na\n", 3, 4, 6)).toEqual(before);
    expect(prints("c\nb\na\n", 2, 3)).toEqual([before[1], before[0]]);
  });

  it("F-06 percent-encodes paths, and names files outside by their whole URL", () => {
    const uris = (file: string): ArtifactLocation | undefined =>
      resultsOf(TEXT, diagnostic({ file }))[0]?.locations[0].physicalLocation.artifactLocation;
    expect(uris("my skills/a,b#1%/日本?.md")).toEqual({
      uri: "my%20skills/a%2Cb%231%25/%E6%97%A5%E6%9C%AC%3F.md",
      uriBaseId: "%SRCROOT%",
    });
    expect(uris("..foo/SKILL.md")?.uri).toBe("..foo/SKILL.md");
    const outside = resolve(CWD, "../other/a b.md");
    expect(uris("../other/a b.md")).toEqual({ uri: pathToFileURL(outside).href });
  });

  it("F-06 counts columns in UTF-16 units and edits in lines and columns", () => {
    const text = "---\nname: 👍日本\nx: y\n---\n";
    const [start, end] = [text.indexOf("日"), text.indexOf(": y")];
    const found = diagnostic({ column: 9, endColumn: 11, fix: [{ start, end, text: "" }] });
    const [result] = resultsOf(text, found);
    expect(result?.locations[0].physicalLocation.region).toMatchObject({
      startColumn: 9,
      endColumn: 11,
    });
    expect(result?.fixes?.[0]?.artifactChanges[0]?.replacements).toEqual([
      { deletedRegion: { startLine: 2, startColumn: 9, endLine: 3, endColumn: 2 } },
    ]);
  });

  it("F-06 puts edits into the SKILL.md even when the finding is elsewhere", () => {
    const elsewhere = resolve(CWD, "skills/pdf/run.sh");
    const [result] = resultsOf(
      TEXT,
      diagnostic({ file: elsewhere, fix: [{ start: 0, end: 0, text: "x" }] }),
    );
    const change = result?.fixes?.[0]?.artifactChanges[0];
    expect(change?.artifactLocation.uri).toBe("skills/pdf/SKILL.md");
  });

  it("F-06 stays valid and unchanged in meaning with hostile text", () => {
    const message = '::error::x\n%0A\u001b[31m\u202e"\\\u{e0041}\ud800 {0} [click](https://evil)';
    const output = format([
      { file: FILE, text: TEXT, diagnostics: [diagnostic({ message, line: 999, endLine: 999 })] },
    ]);
    expect(output).toMatch(/^[\n\x20-\x7e]*$/u);
    const [result] = resultsOf(TEXT, diagnostic({ message, line: 999, endLine: 999 }));
    expect(result?.message.text).toBe(message.replace("](", "] ("));
    expect(result?.locations[0].physicalLocation.region.startLine).toBe(999);
  });

  it("F-06 takes a line of a megabyte", () => {
    const text = "x".repeat(1_000_000);
    const fix = [{ start: 999_999, end: 1_000_000, text: "y" }];
    const found = diagnostic({ line: 1, endLine: 1, column: 1_000_000, endColumn: 1_000_001, fix });
    const [result] = resultsOf(text, found);
    expect(result?.fixes?.[0]?.artifactChanges[0]?.replacements[0]?.deletedRegion).toEqual({
      startLine: 1,
      startColumn: 1_000_000,
      endLine: 1,
      endColumn: 1_000_001,
    });
  });

  it("F-06 always writes valid SARIF, twice the same", () => {
    const anyText = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
    const number = fc.integer({ min: -5, max: 200 });
    const edit = fc.record({ start: number, end: number, text: anyText });
    const anyDiagnostic: fc.Arbitrary<Diagnostic> = fc.record(
      {
        code: fc.oneof(anyText, fc.constant("name-mismatch")),
        severity: fc.constantFrom("error", "warning", "info"),
        message: anyText,
        file: fc.oneof(anyText, fc.constant(FILE), fc.constant("../\ud800\0")),
        line: number,
        column: number,
        endLine: number,
        endColumn: number,
        hint: anyText,
        effect: fc.constantFrom("skipped", "hidden"),
        fix: fc.array(edit, { maxLength: 3 }),
      },
      {
        requiredKeys: [
          "code",
          "severity",
          "message",
          "file",
          "line",
          "column",
          "endLine",
          "endColumn",
        ],
      },
    );
    const linted = fc.record({
      file: fc.oneof(anyText, fc.constant(FILE)),
      text: fc.oneof(anyText, fc.constant(TEXT)),
      diagnostics: fc.array(anyDiagnostic, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(fc.array(linted, { maxLength: 3 }), (files) => {
        const { results, tool } = runOf(files);
        expect(results).toHaveLength(files.flatMap((file) => file.diagnostics).length);
        for (const { ruleId, ruleIndex, locations } of results) {
          expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
          const { region } = locations[0].physicalLocation;
          const isForward =
            region.endLine > region.startLine || region.endColumn >= region.startColumn;
          expect(isForward).toBe(true);
        }
        expect(format(files)).toBe(format(files));
      }),
    );
  });
});
