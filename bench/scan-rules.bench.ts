import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { scanFiles } from "../packages/packs/src/scan/scan-files.ts";
import type { ScanFinding } from "../packages/packs/src/scan/scan-finding.ts";
import { scanRules } from "../packages/packs/src/scan/scan-rules.ts";
import { readScanFixtures, type ScanFixture } from "../test/fixtures/scan/read-scan-fixtures.ts";
import { lintSkillText } from "../packages/core/src/format/parse-skill.ts";
import { generateCorpus } from "./corpus.ts";
import { measureRounds } from "./parse/measure-rounds.ts";
import { check, checkRatio } from "./scan/bars.ts";
import { isAtLeast, type ScoredFixture, scoreOf, showScore } from "./scan-rules/score.ts";

/** The bundle of this file is in bench/node_modules/.cache. */
const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), "../../../test/fixtures/scan");

const MIN_PRECISION = 0.98;
const MIN_RECALL = 0.95;
const MAX_ACCUSED = 0.02;
/** Beside the lint of the same texts, which an install does too. */
const MAX_TIME_RATIO = 1.5;
const GENERATED = 2000;
const FILES_PER_SKILL = 4;
const ROUNDS = 5;

/** Scores the scan on the fixtures, and counts whom it accuses among generated skills and how long it takes. */
export async function run(): Promise<void> {
  const scored = readScanFixtures(FIXTURES).map((fixture) => ({
    ...fixture,
    findings: scanFiles(fixture.files),
  }));
  const quality = showQuality(scored);
  showCategories(scored);
  showMistakes(scored);
  const speed = measureGenerated();
  if (!quality || !speed) process.exitCode = 1;
}

function showQuality(scored: readonly ScoredFixture[]): boolean {
  console.log("fixtures                    malicious  benign   found  accused  precision  recall");
  for (const severity of ["high", "medium"] as const) {
    for (const round of [...new Set(scored.map((fixture) => fixture.round))].toSorted(
      (a, b) => a - b,
    ))
      showScore(
        `${severity}+, round ${round}`,
        scoreOf(
          scored.filter((fixture) => fixture.round === round),
          severity,
        ),
      );
    showScore(`${severity}+, all`, scoreOf(scored, severity));
  }
  // Found at medium, accused at high: dangerous code stops at medium, and only intent blocks.
  const { precision } = scoreOf(scored, "high");
  const { recall } = scoreOf(scored, "medium");
  const ok = precision >= MIN_PRECISION && recall >= MIN_RECALL;
  console.log(
    `bar: precision at high+ ≥ ${MIN_PRECISION}, recall at medium+ ≥ ${MIN_RECALL} ${ok ? "ok" : "MISS"}`,
  );
  return ok;
}

function showCategories(scored: readonly ScoredFixture[]): void {
  console.log("\nrule                        malicious   found  alarms at medium+");
  for (const { id } of scanRules) {
    const own = scored.filter(({ label, rules }) => label === "malicious" && rules.includes(id));
    const found = own.filter(({ findings }) => findings.some(({ rule }) => rule === id));
    const alarms = scored.filter(
      ({ label, findings }) =>
        label === "benign" &&
        isAtLeast(
          findings.filter(({ rule }) => rule === id),
          "medium",
        ),
    );
    console.log(
      `${id.padEnd(28)}${pad(own.length, 9)}${pad(found.length, 8)}${pad(alarms.length, 19)}`,
    );
  }
  console.log("\ncategory                    rules  malicious  found at med.+  by its own rule");
  for (const category of new Set(scanRules.map((rule) => rule.category))) {
    const ids = new Set(scanRules.filter((rule) => rule.category === category).map(({ id }) => id));
    const own = scored.filter(
      ({ label, rules }) => label === "malicious" && rules.some((rule) => ids.has(rule)),
    );
    const found = own.filter(({ findings }) => isAtLeast(findings, "medium"));
    const byRule = own.filter(({ findings }) => findings.some(({ rule }) => ids.has(rule)));
    console.log(
      `${category.padEnd(28)}${pad(ids.size, 5)}${pad(own.length, 11)}${pad(found.length, 16)}${pad(byRule.length, 17)}`,
    );
  }
}

function showMistakes(scored: readonly ScoredFixture[]): void {
  console.log("\nmissed at medium+, accused at high+");
  const missed = scored.filter(
    ({ label, findings }) => label === "malicious" && !isAtLeast(findings, "medium"),
  );
  const accused = scored.filter(
    ({ label, findings }) => label === "benign" && isAtLeast(findings, "high"),
  );
  for (const { name, rules } of missed) console.log(`missed   ${name}: ${rules.join(", ")}`);
  for (const { name, findings } of accused)
    console.log(`accused  ${name}: ${severeRules(findings)}`);
  if (missed.length + accused.length === 0) console.log("none");
}

function measureGenerated(): boolean {
  const corpus = generateCorpus({ count: GENERATED, seed: 1 });
  const skills: ScanFixture["files"][] = [];
  for (let index = 0; index < corpus.length; index += FILES_PER_SKILL) {
    const texts = corpus.slice(index, index + FILES_PER_SKILL);
    skills.push(
      texts.map(({ text }, file) => ({
        path: file === 0 ? "SKILL.md" : `references/${file}.md`,
        text,
      })),
    );
  }
  const kibibytes = corpus.reduce((sum, { text }) => sum + text.length, 0) / 1024;
  console.log(
    `\n${skills.length} generated skills of ${FILES_PER_SKILL} files, ${Math.round(kibibytes)} KiB`,
  );
  const accused = skills.filter((files) => isAtLeast(scanFiles(files), "high")).length;
  const few = check(
    "accused at high+, percent",
    (accused * 100) / skills.length,
    MAX_ACCUSED * 100,
  );
  const [scan, lint] = measureRounds({
    contenders: [
      { name: "scan", run: (files: ScanFixture["files"]) => void scanFiles(files) },
      { name: "lint", run: (files) => files.forEach(({ text }) => lintSkillText(text)) },
    ],
    items: skills,
    rounds: ROUNDS,
  });
  if (scan === undefined || lint === undefined) return false;
  console.log(
    `scan ${(scan.median / skills.length).toFixed(2)} ms for each skill, median of ${ROUNDS} rounds`,
  );
  return checkRatio("time beside lint of the same texts", scan, lint, MAX_TIME_RATIO) && few;
}

function severeRules(findings: readonly ScanFinding[]): string {
  return findings
    .filter((finding) => isAtLeast([finding], "high"))
    .map(({ rule, file, line }) => `${rule} ${file}:${line}`)
    .join(", ");
}

const pad = (value: number, width: number): string => String(value).padStart(width);
