import { createHash } from "node:crypto";
import { join } from "node:path";
import { type ScanFinding, type ScanRule, type ScanSeverity } from "@skillwright/packs";
import { toArtifactLocation } from "../lint/format-sarif.ts";
import { VERSION } from "../version.ts";

export interface LocatedFinding extends ScanFinding {
  /** The skill's folder. */
  readonly directory: string;
}

const LEVELS: Readonly<Record<ScanSeverity, string>> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
};

/** A SARIF 2.1.0 log, the same for the same findings. */
export function scanSarif(
  findings: readonly LocatedFinding[],
  rules: readonly ScanRule[],
  cwd: string,
): string {
  const used = rules.filter(({ id }) => findings.some(({ rule }) => rule === id));
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "skillwright",
            version: VERSION,
            rules: used.map(({ id, summary, explanation, severity, category }) => ({
              id,
              shortDescription: { text: summary },
              fullDescription: { text: explanation },
              defaultConfiguration: { level: LEVELS[severity] },
              properties: { category, severity },
            })),
          },
        },
        columnKind: "utf16CodeUnits",
        results: findings.map(
          ({ rule, severity, message, directory, file, line, column, evidence }) => ({
            ruleId: rule,
            ruleIndex: used.findIndex(({ id }) => id === rule),
            level: LEVELS[severity],
            message: { text: message },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: toArtifactLocation(join(directory, file), cwd),
                  region: { startLine: line, startColumn: column },
                },
              },
            ],
            partialFingerprints: { "skillwright/v1": fingerprint([rule, file, evidence]) },
          }),
        ),
      },
    ],
  };
  return JSON.stringify(log, null, 2).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function fingerprint(identity: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 32);
}
