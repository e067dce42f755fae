import { hash } from "node:crypto";
import { readableText } from "./context/readable-text.ts";
import type { ScanLine } from "./context/scan-line.ts";
import { SkillTexts } from "./context/skill-texts.ts";
import { TextFile } from "./context/text-file.ts";
import { networkSends } from "./facts/network-sends.ts";
import { secretReads } from "./facts/secret-reads.ts";
import {
  type FactCollector,
  isAtLeast,
  type ScanCheck,
  SEVERITIES,
  type Suspicion,
} from "./scan-check.ts";
import type { ScanFinding, ScanSeverity } from "./scan-finding.ts";
import { RULE_TRAITS } from "./rule-traits.ts";
import { scanChecks } from "./scan-rules.ts";
import { showEvidence } from "./text/show-evidence.ts";
import { WordFinder } from "./text/word-finder.ts";

export interface ScannedFile {
  /** Relative to the skill, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Bytes between the start and the end of it that are left out. */
  readonly leftOut?: number;
}

/** Severity per rule id, or "off". */
export type ScanRuleSettings = Readonly<Record<string, ScanSeverity | "off">>;

export interface ScanFilesOptions {
  readonly rules?: ScanRuleSettings;
}

/** More of one kind in one file say nothing new. */
const MAX_PER_RULE_AND_FILE = 5;
/**
 * What one rule looks at in one file. A line as full of its words as no text is costs more than a
 * thousand others. What is not looked at for that is reported.
 */
const MAX_LOOKS = 40_000;
const DENSE_HITS = 40;
const MAX_DENSE_LOOKS = 60;
/** The same for all rules together. */
const CROWDED_HITS = 120;
const MAX_CROWDED = 300;

/** Hexadecimal digits; enough that nobody finds another file with the same ones. */
const FINGERPRINT = 40;

type Looker = Pick<ScanCheck, "words" | "look"> & {
  readonly check?: ScanCheck;
  readonly collect?: FactCollector["collect"];
};

/** Facts come first: rules that look at a line may ask for them. */
const LOOKERS: readonly Looker[] = [
  secretReads,
  networkSends,
  ...scanChecks.filter(({ look }) => look !== undefined).map((check) => ({ ...check, check })),
];
const WORDS = [...new Set(LOOKERS.flatMap(({ words = [] }) => words))];
const LOOKERS_OF_WORD = WORDS.map((word) =>
  LOOKERS.flatMap(({ words = [] }, index) => (words.includes(word) ? [index] : [])),
);
const FINDER = new WordFinder(WORDS);

/** What stands out in the texts of one skill, by severity, then file and line. Pure; never throws. */
export function scanFiles(
  files: readonly ScannedFile[],
  { rules = {} }: ScanFilesOptions = {},
): ScanFinding[] {
  const skill = new SkillTexts();
  for (const { path, text, leftOut = 0 } of files) {
    const file = new TextFile(skill, path, readableText(path, normalized(text)));
    file.leftOut = leftOut;
    skill.files.push(file);
  }
  const report = new Report(rules);
  const looks: { readonly check: ScanCheck; readonly line: ScanLine }[] = [];
  for (const file of skill.files) {
    eachLook(file, (looker, line) => {
      if (looker.collect !== undefined) looker.collect(line);
      else if (looker.check !== undefined) looks.push({ check: looker.check, line });
    });
  }
  for (const { check, line } of looks) {
    if (report.isOff(check) || report.isFull(check, line)) continue;
    const suspicion = check.look?.(line);
    if (suspicion !== undefined) report.add(check, line, suspicion);
  }
  for (const check of scanChecks) {
    if (check.conclude === undefined || report.isOff(check)) continue;
    for (const { line, ...suspicion } of check.conclude(skill)) report.add(check, line, suspicion);
  }
  return report.findings.toSorted(compareFindings);
}

/** Each line once for everyone whose word it has. */
function eachLook(file: TextFile, onLook: (looker: Looker, line: ScanLine) => void): void {
  const wanted = new Uint32Array(LOOKERS.length);
  const looks = new Uint32Array(LOOKERS.length);
  const dense = new Uint32Array(LOOKERS.length);
  let crowded = 0;
  let line: ScanLine | undefined;
  const flush = () => {
    if (line === undefined) return;
    const isCrowded = wanted.reduce((sum, hits) => sum + hits, 0) > CROWDED_HITS;
    const isTooMuch = isCrowded && ++crowded > MAX_CROWDED;
    for (let index = 0; index < wanted.length; index++) {
      const hits = wanted[index] as number;
      if (hits === 0) continue;
      const isDense = hits > DENSE_HITS;
      const counted = isDense ? dense : looks;
      const count = (counted[index] as number) + 1;
      counted[index] = count;
      if (!isTooMuch && count <= (isDense ? MAX_DENSE_LOOKS : MAX_LOOKS))
        onLook(LOOKERS[index] as Looker, line);
      else file.notLookedAt ??= line;
    }
    wanted.fill(0);
  };
  FINDER.find(file.text, (word, end) => {
    if (line === undefined || end >= line.end || end < line.start) {
      flush();
      line = file.lineAt(end);
    }
    for (const looker of LOOKERS_OF_WORD[word] as number[])
      wanted[looker] = (wanted[looker] as number) + 1;
  });
  flush();
}

class Report {
  readonly findings: ScanFinding[] = [];
  readonly #rules: ScanRuleSettings;
  readonly #counts = new Map<string, number>();
  readonly #places = new Set<string>();
  readonly #digests = new Map<string, string>();

  constructor(rules: ScanRuleSettings) {
    this.#rules = rules;
  }

  isOff({ id }: ScanCheck): boolean {
    return Object.hasOwn(this.#rules, id) && this.#rules[id] === "off";
  }

  isFull({ id }: ScanCheck, { file }: ScanLine): boolean {
    return (this.#counts.get(`${id}\n${file.path}`) ?? 0) >= MAX_PER_RULE_AND_FILE;
  }

  add(
    check: ScanCheck,
    line: ScanLine,
    { message, severity: found = check.severity, intent: meant = found }: Suspicion,
  ): void {
    const { file, index } = line;
    const place = `${check.id}\n${file.path}\n${index}`;
    if (this.isFull(check, line) || this.#places.has(place)) return;
    this.#places.add(place);
    const counted = `${check.id}\n${file.path}`;
    this.#counts.set(counted, (this.#counts.get(counted) ?? 0) + 1);
    const setting = Object.hasOwn(this.#rules, check.id) ? this.#rules[check.id] : undefined;
    const severity = setting === undefined || setting === "off" ? found : setting;
    const traits = RULE_TRAITS[check.id];
    const said =
      meant === null ? undefined : least(least(meant, severity) ?? meant, traits?.intent);
    const intent = said !== undefined && line.quotesAttacks ? least(said, "medium") : said;
    const danger = least(severity, traits?.danger);
    const highest = [intent, danger].includes(severity)
      ? severity
      : (higher(intent, danger) ?? severity);
    this.findings.push({
      rule: check.id,
      severity: setting === undefined || setting === "off" ? highest : setting,
      ...(intent !== undefined && { intent }),
      ...(danger !== undefined && { danger }),
      message: showEvidence(message),
      file: file.path,
      line: index + 1,
      column: line.offset + Math.max(0, line.raw.search(/\S/)) + 1,
      evidence: showEvidence(line.raw),
      fingerprint: this.#fingerprint(check.id, message, line),
    });
  }

  /** Covers the whole file, since a finding depends on what stands around its line. */
  #fingerprint(rule: string, message: string, { file, index, offset }: ScanLine): string {
    const text = this.#digests.get(file.path) ?? hash("sha256", file.text);
    this.#digests.set(file.path, text);
    const parts = [rule, message, file.path, index, offset, text];
    return hash("sha256", JSON.stringify(parts)).slice(0, FINGERPRINT);
  }
}

function least(one: ScanSeverity, other: ScanSeverity | undefined): ScanSeverity | undefined {
  if (other === undefined) return undefined;
  return isAtLeast(one, other) ? other : one;
}

function higher(one?: ScanSeverity, other?: ScanSeverity): ScanSeverity | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return isAtLeast(one, other) ? one : other;
}

function normalized(text: string): string {
  return text.includes("\r") ? text.replaceAll(/\r\n?/g, "\n") : text;
}

function compareFindings(a: ScanFinding, b: ScanFinding): number {
  const bySeverity = SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity);
  if (bySeverity !== 0) return bySeverity;
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || (a.rule < b.rule ? -1 : 1);
}
