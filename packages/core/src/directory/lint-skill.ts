import { checkOptions } from "../internal/options.ts";
import { realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { compareDiagnostics, type Diagnostic } from "../format/diagnostic.ts";
import { lintSkillText, parseSkill, type ParseOptions } from "../format/parse-skill.ts";
import {
  createReporter,
  normalizeText,
  type ParsedSkill,
  type Reporter,
  type Rule,
} from "../format/draft.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import {
  directoryRules,
  encodingInvalid,
  skillFileMissing,
  skillFileTooLarge,
  skillFileUnreadable,
} from "./directory-rules.ts";
import { readSkillFile, SKILL_FILE, skillFileOf } from "./skill-files.ts";
import type { DirectoryFinding, DirectoryRule } from "./skill-directory.ts";
import { type WalkResult, walkDirectory } from "../internal/confined.ts";

export interface LintOptions extends Pick<ParseOptions, "strict" | "rules"> {
  /** All that the folder holds, where that is known: then it is not looked at again. */
  readonly files?: readonly LintedContent[];
}

export interface LintedContent {
  /** Relative to the skill, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

export interface LintResult {
  /** Absent when the skill cannot be used; a diagnostic then says why. */
  readonly skill?: ParsedSkill;
  /** Path of the skill's SKILL.md as it is named in the diagnostics. */
  readonly file: string;
  /** SKILL.md with normalised newlines; empty when it cannot be read. */
  readonly text: string;
  /** In the order of the files and their lines. */
  readonly diagnostics: readonly Diagnostic[];
}

/** More entries than any skill has; a hostile folder must not keep the linter busy. */
const MAX_ENTRIES = 20_000;

export async function lintSkill(directory: string, options: LintOptions = {}): Promise<LintResult> {
  checkOptions("lintSkill", options, { strict: "boolean", rules: "object", files: "list" });
  const { files, ...parseOptions } = options;
  const folder = resolve(directory);
  const diagnostics: Diagnostic[] = [];
  const file = join(folder, SKILL_FILE);
  const report = (rule: Rule, finding: DirectoryFinding, reporter = reporterFor(finding, "")) => {
    const { start = 0, end = start, message, hint } = finding;
    reporter.report(rule, { start, end, message, hint });
    diagnostics.push(...reporter.diagnostics.splice(0));
  };
  const walked = files === undefined ? await walk(folder, report) : entriesOf(files);
  const read = walked && (await readText(folder, walked, files, report));
  const text = read === undefined ? "" : normalizeText(read);
  // Files are looked at as well where strict mode refuses the skill, which is decided below.
  const named = { ...parseOptions, directoryName: basename(folder), file };
  const { diagnostics: found = [] } = read === undefined ? {} : lintSkillText(read, named);
  const { skill } = read === undefined ? {} : parseSkill(read, { ...named, strict: false });
  diagnostics.push(...found);
  if (walked !== undefined) {
    const bodyStart = skill === undefined ? 0 : text.length - skill.body.length;
    const inspected = { name: basename(folder), ...walked, skill, bodyStart };
    // One for all findings: it remembers where the lines start.
    const skillFile = reporterFor({}, text);
    for (const rule of directoryRules as readonly DirectoryRule[]) {
      rule.inspect?.(inspected, (finding) =>
        report(rule, finding, finding.path === undefined ? skillFile : undefined),
      );
    }
  }
  diagnostics.sort(compareDiagnostics);
  const isRefused =
    options.strict === true && diagnostics.some(({ severity }) => severity === "error");
  return { ...(skill && !isRefused && { skill }), file, text, diagnostics };

  function reporterFor({ path = SKILL_FILE }: { readonly path?: string }, text: string): Reporter {
    const { strict = false, rules: settings } = options;
    return createReporter({ text, file: join(folder, path), strict, settings });
  }
}

type Report = (rule: Rule, finding: DirectoryFinding) => void;

function entriesOf(files: readonly LintedContent[]): WalkResult {
  const entries = files.map(({ path, bytes, executable }) => {
    const mode = executable ? 0o755 : 0o644;
    return { path, kind: "file" as const, size: bytes.length, mode, links: 1 };
  });
  return { entries, truncated: false, unreadable: [] };
}

async function walk(folder: string, report: Report): Promise<WalkResult | undefined> {
  try {
    if (!(await stat(folder)).isDirectory()) throw new Error("it is not a folder");
    return await walkDirectory(folder, { maxEntries: MAX_ENTRIES });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    report(skillFileMissing, { message: `the folder cannot be read: ${reason}` });
    return undefined;
  }
}

/** The text of SKILL.md, or undefined with the reason reported. */
async function readText(
  folder: string,
  { entries, truncated }: WalkResult,
  files: readonly LintedContent[] | undefined,
  report: Report,
): Promise<string | undefined> {
  const names = entries.map(({ path }) => path);
  if (!names.includes(SKILL_FILE) && !truncated) {
    const similar = names.find((name) => name.toLowerCase() === "skill.md");
    report(
      skillFileMissing,
      similar === undefined
        ? { message: "there is no SKILL.md", hint: "create one with `skillwright new`" }
        : { message: `the file is named \`${similar}\``, hint: "rename it to `SKILL.md`" },
    );
    return undefined;
  }
  try {
    const known = files?.find(({ path }) => path === SKILL_FILE);
    const read =
      known === undefined ? await readSkillFile(await realpath(folder)) : skillFileOf(known.bytes);
    if ("size" in read) {
      report(skillFileTooLarge, { message: `SKILL.md has ${read.size} bytes` });
      return undefined;
    }
    if (read.encoding !== "utf-8") {
      const what = read.encoding === "utf-16" ? "is UTF-16" : "has bytes that are not UTF-8";
      report(encodingInvalid, { message: `SKILL.md ${what}`, hint: "save it as UTF-8" });
    }
    return read.text;
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    report(skillFileUnreadable, { message: error.message });
    return undefined;
  }
}
