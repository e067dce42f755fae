import { lintSkill } from "@skillwright/core";
import {
  fixSkill,
  type LintOptions,
  type RuleSettings,
  plural,
  visibleLine,
} from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { VERSION } from "../version.ts";
import { formatGithub } from "./format-github.ts";
import { formatHuman } from "./format-human.ts";
import { formatSarif } from "./format-sarif.ts";
import { formatSummary, type LintCounts } from "./format-summary.ts";
import { type LintTarget, lintTargets } from "./lint-targets.ts";
import type { LintedFile } from "./linted-file.ts";
import { relativePath } from "../terminal/relative-path.ts";
import { ALL_RULES, readRuleSettings } from "./rule-settings.ts";

export interface LintCommandOptions extends GlobalOptions {
  readonly fix?: boolean;
  readonly strict?: boolean;
  readonly maxWarnings?: number;
  readonly rule?: readonly string[];
  readonly format?: "human" | "json" | "github" | "sarif";
}

const PARALLEL = 8;

export async function lintCommand(
  paths: readonly string[],
  options: LintCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const format = chooseFormat(options);
  const rules = await readRuleSettings(options, console);
  const { targets, unfinished } = await lintTargets(paths, options, console);
  const { files, fixed, failed } = await lintAll(targets, options, rules, console);
  const counts = { ...count(files, fixed), unfinished };
  if (format === "human") printHuman(files, counts, console);
  else if (format === "json") console.printJson(jsonReport(files, counts, console.cwd));
  else if (format === "github") console.print(formatGithub(files, console));
  else console.print(formatSarif(files, { cwd: console.cwd, version: VERSION, rules: ALL_RULES }));
  const tooManyWarnings = counts.warnings > (options.maxWarnings ?? Number.POSITIVE_INFINITY);
  if (tooManyWarnings && counts.errors === 0) {
    console.note(`more warnings than the ${options.maxWarnings} that --max-warnings allows`);
  }
  return counts.errors + failed > 0 || tooManyWarnings ? EXIT.no : EXIT.done;
}

function chooseFormat({ json = false, format }: LintCommandOptions) {
  if (json && format !== undefined && format !== "json") {
    throw new CommandFailure(EXIT.usage, `--json and --format ${format} exclude each other`);
  }
  return json ? "json" : (format ?? "human");
}

async function lintAll(
  targets: readonly LintTarget[],
  { fix = false, strict = false }: LintCommandOptions,
  rules: RuleSettings,
  console: Console,
): Promise<{ files: LintedFile[]; fixed: number; failed: number }> {
  const options: LintOptions = { strict, rules };
  const files: LintedFile[] = [];
  let fixed = 0;
  let failed = 0;
  let next = 0;
  let done = 0;
  const work = async () => {
    for (let i = next++; i < targets.length; i = next++) {
      const { directory = "", within = "" } = targets[i] ?? {};
      if (fix) {
        fixed += await fixSkill(directory, { ...options, within }).catch((error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          const path = relativePath(directory, console.cwd);
          console.note(visibleLine(`error: ${path} could not be fixed: ${reason}`));
          failed++;
          return 0;
        });
      }
      const { file, text, diagnostics } = await lintSkill(directory, options);
      files[i] = { file, text: diagnostics.length === 0 ? "" : text, diagnostics };
      console.progress(`checking skills … ${++done}/${targets.length}`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return { files, fixed, failed };
}

function count(files: readonly LintedFile[], fixed: number): Omit<LintCounts, "unfinished"> {
  const counts = { files: files.length, errors: 0, warnings: 0, infos: 0, fixable: 0, fixed };
  for (const { severity, fix } of files.flatMap(({ diagnostics }) => diagnostics)) {
    if (severity === "error") counts.errors++;
    else if (severity === "warning") counts.warnings++;
    else counts.infos++;
    if (fix !== undefined) counts.fixable++;
  }
  return counts;
}

function printHuman(files: readonly LintedFile[], counts: LintCounts, console: Console): void {
  const { colors, width, cwd, quiet, verbose } = console;
  const shown = files.map(({ file, text, diagnostics }) => ({
    file: relativePath(file, cwd),
    text,
    diagnostics: diagnostics
      .filter(
        ({ severity }) => severity === "error" || (!quiet && (verbose || severity !== "info")),
      )
      .map((diagnostic) => ({ ...diagnostic, file: relativePath(diagnostic.file, cwd) })),
  }));
  const report = formatHuman(shown, { colors, width });
  if (report !== "") console.print(`${report}\n`);
  const hidden = verbose || quiet ? 0 : counts.infos;
  const summary = formatSummary({ ...counts, infos: verbose ? counts.infos : 0 }, colors);
  const notes = hidden === 0 ? "" : ` · ${plural(hidden, "note")} with --verbose`;
  console.print(summary + colors.dim(notes));
}

function jsonReport(files: readonly LintedFile[], counts: LintCounts, cwd: string) {
  return {
    files: counts.files,
    errors: counts.errors,
    warnings: counts.warnings,
    fixed: counts.fixed,
    ...(counts.unfinished > 0 && { unfinished: counts.unfinished }),
    diagnostics: files.flatMap(({ diagnostics }) =>
      diagnostics.map(({ fix, file, ...diagnostic }) => ({
        ...diagnostic,
        file: relativePath(file, cwd),
        fixable: fix !== undefined,
      })),
    ),
  };
}
