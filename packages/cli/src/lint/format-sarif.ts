import type { Diagnostic } from "@skillwright/core";
import type { Rule } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { relativePath } from "../terminal/relative-path.ts";
import { type LintedFile, messageWithHint, pointsIntoText } from "./linted-file.ts";

interface ArtifactLocation {
  readonly uri: string;
  readonly uriBaseId?: "%SRCROOT%";
}

/** Relative to the root of the source where possible, so that a log says the same everywhere. */
export function toArtifactLocation(file: string, cwd: string): ArtifactLocation {
  const path = relativePath(file, cwd);
  if (path.startsWith("../") || path === ".." || isAbsolute(path)) {
    return { uri: pathToFileURL(resolve(cwd, file)).href };
  }
  // encodeURIComponent throws at lone surrogates, which file names on Windows may have.
  const segments = path
    .replaceAll(/\p{Cs}/gu, "\ufffd")
    .split("/")
    .map(encodeURIComponent);
  return { uri: segments.join("/"), uriBaseId: "%SRCROOT%" };
}

/** The 1-based position of an offset; offsets outside the text count as its start or end. */
function lineAndColumnAt(text: string, offset: number): { line: number; column: number } {
  const end = Math.min(Math.max(0, offset), text.length);
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: end - lineStart + 1 };
}

/** In message texts `[text](target)` is a link (§3.11.6), and a message may quote a skill. */
function toMessage(text: string): { text: string } {
  return { text: text.replaceAll("](", "] (") };
}

/**
 * The edits of a diagnostic (fix, §3.55). Lines and columns, not offsets: those of the normalised
 * text are also right in a file with a BOM or CRLF newlines.
 */
function toFix(
  { code, fix = [], hint }: Diagnostic,
  text: string,
  artifactLocation: ArtifactLocation,
) {
  const replacements = fix.map((edit) => {
    const start = lineAndColumnAt(text, edit.start);
    const end = lineAndColumnAt(text, Math.max(edit.start, edit.end));
    return {
      deletedRegion: {
        startLine: start.line,
        startColumn: start.column,
        endLine: end.line,
        endColumn: end.column,
      },
      ...(edit.text === "" ? {} : { insertedContent: { text: edit.text } }),
    };
  });
  return {
    description: toMessage(hint ?? `Fix ${code}`),
    artifactChanges: [{ artifactLocation, replacements }],
  };
}

type Level = "error" | "warning" | "note";

function toLevel(severity: Diagnostic["severity"]): Level {
  return severity === "info" ? "note" : severity;
}

/** What a SARIF viewer shows about a rule (reportingDescriptor, §3.49). */
function toReportingDescriptor(rule: Rule) {
  const { code, summary, explanation, example } = rule;
  return {
    id: code,
    name: pascalCase(code),
    shortDescription: { text: summary },
    fullDescription: { text: explanation },
    help: {
      text: `${explanation}\n\nBad:\n\n${example.bad}\n\nGood:\n\n${example.good}`,
      markdown: `${explanation}\n\nBad:\n\n${fenced(example.bad)}\n\nGood:\n\n${fenced(example.good)}`,
    },
    defaultConfiguration: { level: toLevel(rule.severity) },
  };
}

/** For a finding whose rule is not among those given. */
function toBareDescriptor(code: string) {
  return { id: code, name: pascalCase(code) };
}

function pascalCase(code: string): string {
  return code
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

/** Examples are Markdown themselves, so the fence outgrows those inside. */
function fenced(source: string): string {
  const longest = Math.max(2, ...Array.from(source.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${source}\n${fence}`;
}

interface FormatSarifOptions {
  /** What paths become relative to: the root of the source. */
  readonly cwd: string;
  /** Of skillwright. */
  readonly version: string;
  /** All there are; the log describes those that found something. */
  readonly rules: readonly Rule[];
}

interface Run {
  readonly codes: readonly string[];
  /** How often the same finding was seen so far. */
  readonly occurrences: Map<string, number>;
  readonly cwd: string;
}

/** A SARIF 2.1.0 log, the same for the same findings. No final newline. */
export function formatSarif(
  files: readonly LintedFile[],
  { cwd, version, rules }: FormatSarifOptions,
): string {
  const codes = [...new Set(files.flatMap((file) => file.diagnostics.map(({ code }) => code)))];
  codes.sort();
  const occurrences = new Map<string, number>();
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "skillwright",
            version,
            rules: codes.map((code) => {
              const rule = rules.find((candidate) => candidate.code === code);
              return rule === undefined ? toBareDescriptor(code) : toReportingDescriptor(rule);
            }),
          },
        },
        columnKind: "utf16CodeUnits",
        results: files.flatMap((linted) => formatResults(linted, { codes, occurrences, cwd })),
      },
    ],
  };
  return toAscii(JSON.stringify(log, null, 2));
}

function formatResults(linted: LintedFile, { codes, occurrences, cwd }: Run) {
  const lines = linted.text.split("\n");
  return linted.diagnostics.map((diagnostic) => {
    const { code, severity, file, fix = [] } = diagnostic;
    const artifactLocation = toArtifactLocation(file, cwd);
    const isInText = pointsIntoText(linted, diagnostic);
    const lineText = isInText ? (lines[diagnostic.line - 1] ?? "").trim() : "";
    const identity = JSON.stringify([code, artifactLocation.uri, lineText]);
    const occurrence = occurrences.get(identity) ?? 0;
    occurrences.set(identity, occurrence + 1);
    const fixLocation = toArtifactLocation(linted.file, cwd);
    return {
      ruleId: code,
      ruleIndex: codes.indexOf(code),
      level: toLevel(severity),
      message: toMessage(messageWithHint(diagnostic)),
      locations: [{ physicalLocation: { artifactLocation, region: toRegion(diagnostic) } }],
      partialFingerprints: { "skillwright/v1": fingerprint(identity, occurrence) },
      ...(fix.length === 0 ? {} : { fixes: [toFix(diagnostic, linted.text, fixLocation)] }),
    };
  });
}

/** Ends are exclusive in SARIF too; it forbids positions below 1 and ends before starts. */
function toRegion({ line, column, endLine, endColumn }: Diagnostic) {
  const startLine = Math.max(1, line);
  const startColumn = Math.max(1, column);
  const lastLine = Math.max(startLine, endLine);
  const lowestEnd = lastLine === startLine ? startColumn : 1;
  return {
    startLine,
    startColumn,
    endLine: lastLine,
    endColumn: Math.max(lowestEnd, endColumn),
  };
}

/** The line's text instead of its number: lines inserted above must not make old findings new. */
function fingerprint(identity: string, occurrence: number): string {
  return createHash("sha256").update(`${identity}#${occurrence}`).digest("hex").slice(0, 32);
}

/** JSON's own escapes: nothing in a log, bidi controls for one, can act on whoever prints it. */
function toAscii(json: string): string {
  return json.replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
