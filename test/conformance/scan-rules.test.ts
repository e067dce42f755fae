import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ScanFinding, scanRules } from "../../packages/packs/src/index.ts";
import { patternRuleIds, scanFiles } from "../../packages/packs/src/scan/index.ts";
import { readScanFixtures, type ScanFixture } from "../fixtures/scan/read-scan-fixtures.ts";

const RULES = await scanRules();
/** The other rules carry their examples with them; see pattern-rules.test.ts. */
const WITH_EXAMPLES: ReadonlySet<string> = new Set(patternRuleIds);
const FIXTURE_RULES = RULES.map(({ id }) => id).filter((id) => !WITH_EXAMPLES.has(id));
const fixtures = readScanFixtures(join(import.meta.dirname, "../fixtures/scan"));
const malicious = fixtures.filter(({ label }) => label === "malicious");
const benign = fixtures.filter(({ label }) => label === "benign");

describe("K-02 what the scan says about skills written for it", () => {
  it.each(malicious.map((fixture) => [fixture.name, fixture] as const))(
    "K-02 finds %s",
    (_, fixture) => {
      const findings = scanFiles(fixture.files);
      expect(findings.map(({ rule }) => rule)).toEqual(expect.arrayContaining([...fixture.rules]));
      // Found means: at least medium, on either axis. Only intent blocks.
      expect(findings.some(({ severity }) => severity !== "low")).toBe(true);
    },
  );

  it.each(benign.map((fixture) => [fixture.name, fixture] as const))(
    "K-02 does not accuse %s",
    (_, fixture) => {
      expect(severe(scanFiles(fixture.files))).toEqual([]);
    },
  );
});

describe("K-02 the set of fixtures", () => {
  it("K-02 has at least 60 malicious and 120 benign skills, 30 of these hard", () => {
    expect(malicious.length).toBeGreaterThanOrEqual(60);
    expect(benign.length).toBeGreaterThanOrEqual(120);
    expect(benign.filter(({ rules }) => rules.length > 0).length).toBeGreaterThanOrEqual(30);
  });

  it.each(FIXTURE_RULES)("K-02 has two malicious skills and a hard negative for %s", (id) => {
    expect(having(malicious, id).length).toBeGreaterThanOrEqual(2);
    expect(having(benign, id).length).toBeGreaterThanOrEqual(1);
  });

  it("K-02 names only rules that exist, and every skill has a SKILL.md", () => {
    const ids = new Set(RULES.map(({ id }) => id));
    expect(fixtures.flatMap(({ rules }) => rules).filter((rule) => !ids.has(rule))).toEqual([]);
    expect(fixtures.filter(({ files }) => !files.some(({ path }) => path === "SKILL.md"))).toEqual(
      [],
    );
  });
});

describe("K-02 the rules as people read them", () => {
  it("K-02 have ids in kebab case, each once, a summary and an explanation", () => {
    expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length);
    for (const { id, summary, explanation } of RULES) {
      expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      expect(summary).toMatch(/^[A-Z].*\.$/);
      expect(explanation.length).toBeGreaterThan(80);
    }
  });
});

function having(all: readonly ScanFixture[], rule: string): ScanFixture[] {
  return all.filter(({ rules }) => rules.includes(rule));
}

function severe(findings: readonly ScanFinding[]): string[] {
  return findings
    .filter(({ severity }) => severity === "high" || severity === "critical")
    .map(({ rule, file, line, message }) => `${rule} ${file}:${line} ${message}`);
}
