import { checkOptions } from "../internal/options.ts";
import { realpath, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { compareDiagnostics, type Diagnostic } from "../format/diagnostic.ts";
import { lintSkillText, type ParseOptions } from "../format/parse-skill.ts";
import type { ParsedSkill } from "../format/parsed-skill.ts";
import { createReporter, type Reporter } from "../format/reporter.ts";
import type { Rule } from "../format/rules/rule.ts";
import { normalizeText } from "../format/text/split-frontmatter.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import {
  directoryRules,
  encodingInvalid,
  skillFileMissing,
  skillFileTooLarge,
  skillFileUnreadable,
} from "./directory-rules.ts";
import { readSkillFile, SKILL_FILE, skillFileOf } from "./read-skill-file.ts";
import type { DirectoryFinding, DirectoryRule, SkillDirectory } from "./skill-directory.ts";
import { type WalkResult, walkDirectory } from "../internal/walk.ts";

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
  const linter = new DirectoryLinter(resolve(directory), options);
  const { skill, ...result } = await linter.lint();
  const diagnostics = linter.diagnostics.toSorted(compareDiagnostics);
  const refused =
    options.strict === true && diagnostics.some(({ severity }) => severity === "error");
  return skill === undefined || refused
    ? { ...result, diagnostics }
    : { ...result, skill, diagnostics };
}

class DirectoryLinter {
  readonly diagnostics: Diagnostic[] = [];
  readonly #directory: string;
  readonly #options: LintOptions;

  #skillFile: Reporter;

  constructor(directory: string, options: LintOptions) {
    this.#directory = directory;
    this.#options = options;
    this.#skillFile = this.#reporterFor(SKILL_FILE, "");
  }

  async lint(): Promise<Omit<LintResult, "diagnostics">> {
    const file = join(this.#directory, SKILL_FILE);
    const walked = await this.#walk();
    if (walked === undefined) return { file, text: "" };
    const read = await this.#readSkillFile(walked);
    const text = read === undefined ? "" : normalizeText(read);
    const parsed = read === undefined ? undefined : this.#lintText(read, file);
    const skill = parsed?.skill;
    // One for all findings: it remembers where the lines start.
    this.#skillFile = this.#reporterFor(SKILL_FILE, text);
    this.#inspect({
      name: basename(this.#directory),
      entries: walked.entries,
      truncated: walked.truncated,
      unreadable: walked.unreadable,
      skill,
      bodyStart: skill === undefined ? 0 : text.length - skill.body.length,
    });
    return skill === undefined ? { file, text } : { skill, file, text };
  }

  async #walk(): Promise<WalkResult | undefined> {
    const { files } = this.#options;
    if (files !== undefined) {
      const entries = files.map(({ path, bytes, executable }) => {
        const mode = executable ? 0o755 : 0o644;
        return { path, kind: "file" as const, size: bytes.length, mode, links: 1 };
      });
      return { entries, truncated: false, unreadable: [] };
    }
    try {
      if (!(await stat(this.#directory)).isDirectory()) throw new Error("it is not a folder");
      return await walkDirectory(this.#directory, { maxEntries: MAX_ENTRIES });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#report(skillFileMissing, { message: `the folder cannot be read: ${reason}` });
      return undefined;
    }
  }

  async #readSkillFile({ entries, truncated }: WalkResult): Promise<string | undefined> {
    const names = entries.map(({ path }) => path);
    if (!names.includes(SKILL_FILE) && !truncated) {
      const similar = names.find((name) => name.toLowerCase() === "skill.md");
      this.#report(skillFileMissing, {
        message:
          similar === undefined ? "there is no SKILL.md" : `the file is named \`${similar}\``,
        hint:
          similar === undefined ? "create one with `skillwright new`" : "rename it to `SKILL.md`",
      });
      return undefined;
    }
    try {
      const known = this.#options.files?.find(({ path }) => path === SKILL_FILE);
      const read =
        known === undefined
          ? await readSkillFile(await realpath(this.#directory))
          : skillFileOf(known.bytes);
      if ("size" in read) {
        this.#report(skillFileTooLarge, { message: `SKILL.md has ${read.size} bytes` });
        return undefined;
      }
      if (read.encoding !== "utf-8") {
        const what = read.encoding === "utf-16" ? "is UTF-16" : "has bytes that are not UTF-8";
        this.#report(encodingInvalid, { message: `SKILL.md ${what}`, hint: "save it as UTF-8" });
      }
      return read.text;
    } catch (error) {
      if (!SkillwrightError.isInstance(error)) throw error;
      this.#report(skillFileUnreadable, { message: error.message });
      return undefined;
    }
  }

  #lintText(text: string, file: string) {
    const directoryName = basename(this.#directory);
    const { files: _, ...options } = this.#options;
    const parsed = lintSkillText(text, { ...options, directoryName, file });
    for (const diagnostic of parsed.diagnostics) this.diagnostics.push(diagnostic);
    return parsed;
  }

  #inspect(directory: SkillDirectory): void {
    for (const rule of directoryRules as readonly DirectoryRule[]) {
      rule.inspect?.(directory, (finding) => this.#report(rule, finding));
    }
  }

  #report(rule: Rule, finding: DirectoryFinding): void {
    const { path = SKILL_FILE, start = 0, end = start, message, hint } = finding;
    const reporter = path === SKILL_FILE ? this.#skillFile : this.#reporterFor(path, "");
    reporter.report(rule, { start, end, message, ...(hint === undefined ? undefined : { hint }) });
    this.diagnostics.push(...reporter.diagnostics.splice(0));
  }

  #reporterFor(path: string, text: string): Reporter {
    const { strict = false, rules: settings } = this.#options;
    return createReporter({ text, file: join(this.#directory, path), strict, settings });
  }
}
