import { createHash } from "node:crypto";
import type { Diagnostic } from "@skillwright/core";
import type { Rule } from "@skillwright/core/internal";
import { pointsIntoText } from "./linted-file.ts";
import type { LintedFile } from "./linted-file.ts";
import { messageWithHint } from "./message-with-hint.ts";
import { toArtifactLocation } from "./sarif/to-artifact-location.ts";
import { toFix } from "./sarif/to-fix.ts";
import { toLevel } from "./sarif/to-level.ts";
import { toMessage } from "./sarif/to-message.ts";
import { toBareDescriptor, toReportingDescriptor } from "./sarif/to-reporting-descriptor.ts";

export interface FormatSarifOptions {
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
