import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isBelow, readIfPresent } from "@skillwright/core/internal";
import { realPathOf } from "../scopes/real-path-of.ts";
import type { ScanFinding, ScanResult } from "./scan-finding.ts";

/** A finding that a person has read and accepts. */
export interface Suppression {
  readonly rule: string;
  /** `fingerprint` of the finding; it changes with the file that the finding is in. */
  readonly finding: string;
  readonly reason: string;
  /** The file that says so. */
  readonly file: string;
}

export const SUPPRESSION_FILE = ".skillwright-scan.json";
const MAX_BYTES = 256 * 1024;
const MAX_REASON = 500;

/** The suppressions of a file; none where there is no file. Throws for a file that is not of this form. */
export function readSuppressions(file: string): Suppression[] {
  const bytes = readIfPresent(file, { maxBytes: MAX_BYTES });
  if (bytes === undefined) return [];
  const value: unknown = JSON.parse(bytes.toString("utf8"));
  const list = isRecord(value) ? value["suppressions"] : undefined;
  if (!Array.isArray(list)) throw new TypeError('it needs an array "suppressions"');
  return list.map((entry: unknown, index) => {
    const { rule, finding, reason } = isRecord(entry) ? entry : {};
    const isComplete =
      typeof rule === "string" &&
      typeof finding === "string" &&
      typeof reason === "string" &&
      reason.trim() !== "" &&
      reason.length <= MAX_REASON;
    if (isComplete) return { rule, finding, reason: reason.trim(), file };
    throw new TypeError(`suppressions[${index}] needs "rule", "finding" and a "reason"`);
  });
}

/**
 * Takes accepted findings out of the others. A file that lies in the source of the skill does not count:
 * what is scanned has no say in its own findings.
 */
export function suppress(
  findings: readonly ScanFinding[],
  suppressions: readonly Suppression[],
  source: string | undefined,
): Pick<ScanResult, "findings" | "suppressed"> {
  const folder = source === undefined ? undefined : realPathOf(source);
  const counting = suppressions.filter(
    ({ file }) => folder === undefined || !isBelow(folder, realPathOf(dirname(file))),
  );
  const suppressed: ScanResult["suppressed"][number][] = [];
  const left = findings.filter((finding) => {
    const match = counting.find(
      ({ rule, finding: print }) => rule === finding.rule && print === finding.fingerprint,
    );
    if (match !== undefined)
      suppressed.push({ ...finding, reason: match.reason, suppressedIn: match.file });
    return match === undefined;
  });
  return { findings: left, suppressed };
}

/** The folder or file that a source names, relative to the base; undefined for what is on another machine. */
export function sourcePath(source: string, base: string): string | undefined {
  if (source.startsWith("file://")) {
    try {
      return fileURLToPath(source);
    } catch {
      return undefined;
    }
  }
  return /^[a-z][a-z0-9+.-]*:/i.test(source) ? undefined : resolve(base, source);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
