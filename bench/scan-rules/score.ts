import type { ScanFinding, ScanSeverity } from "../../packages/packs/src/scan/scan-finding.ts";
import type { ScanFixture } from "../../test/fixtures/scan/read-scan-fixtures.ts";

export interface ScoredFixture extends ScanFixture {
  readonly findings: readonly ScanFinding[];
}

export interface Score {
  readonly malicious: number;
  readonly benign: number;
  readonly found: number;
  readonly accused: number;
  readonly precision: number;
  readonly recall: number;
}

const SEVERITIES: readonly ScanSeverity[] = ["low", "medium", "high", "critical"];

export function isAtLeast(findings: readonly ScanFinding[], severity: ScanSeverity): boolean {
  return findings.some(
    (finding) => SEVERITIES.indexOf(finding.severity) >= SEVERITIES.indexOf(severity),
  );
}

export function scoreOf(scored: readonly ScoredFixture[], severity: ScanSeverity): Score {
  const malicious = scored.filter(({ label }) => label === "malicious");
  const benign = scored.filter(({ label }) => label === "benign");
  const found = malicious.filter(({ findings }) => isAtLeast(findings, severity)).length;
  const accused = benign.filter(({ findings }) => isAtLeast(findings, severity)).length;
  return {
    malicious: malicious.length,
    benign: benign.length,
    found,
    accused,
    precision: found / Math.max(1, found + accused),
    recall: found / Math.max(1, malicious.length),
  };
}

export function showScore(
  name: string,
  { malicious, benign, found, accused, precision, recall }: Score,
): void {
  const counts = [malicious, benign, found, accused]
    .map((count) => String(count).padStart(9))
    .join("");
  console.log(
    `${name.padEnd(28)}${counts}${precision.toFixed(3).padStart(11)}${recall.toFixed(3).padStart(8)}`,
  );
}
