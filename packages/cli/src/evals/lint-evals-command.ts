import { readFileSync } from "node:fs";
import type { Diagnostic } from "@skillwright/core";
import { type RuleSettings, plural } from "@skillwright/core/internal";
import {
  type CaseProblem,
  type EvalDiagnostic,
  evalRules,
  lintCases,
  readCases,
} from "@skillwright/evals";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { formatGithub } from "../lint/format-github.ts";
import { formatHuman } from "../lint/format-human.ts";
import { formatSarif } from "../lint/format-sarif.ts";
import type { LintedFile } from "../lint/linted-file.ts";
import { relativePath } from "../terminal/relative-path.ts";
import { VERSION } from "../version.ts";
import { resultsOf } from "./compare-command.ts";
import { type EvalCommandOptions, share } from "./eval-options.ts";
import { openEvalSkills } from "@skillwright/app/internal";

export interface LintEvalsOptions extends EvalCommandOptions {
  readonly format?: "human" | "json" | "github" | "sarif";
  readonly rule?: readonly string[];
  readonly maxWarnings?: number;
  /** Of an eval with `--without`: then checks that tell nothing are found. */
  readonly results?: string;
  /** The pass rate that the cases are to show. */
  readonly claim?: string;
}

const LEVELS = ["off", "info", "warning", "error"] as const;

/** What keeps cases from showing what they are meant to show. Nothing is run. */
export async function lintEvalsCommand(
  given: readonly string[],
  options: LintEvalsOptions,
  console: Console,
): Promise<ExitCode> {
  const { json = false, format = json ? "json" : "human", results, claim, maxWarnings } = options;
  if (json && format !== "json") {
    throw new CommandFailure(EXIT.usage, `--json and --format ${format} exclude each other`);
  }
  const rules = ruleSettings(options.rule ?? []);
  const { skills, paths } = await openEvalSkills(given, options, console);
  const { cases, problems } = await readCases(paths, { cwd: console.cwd });
  if (cases.length + problems.length === 0) {
    throw new CommandFailure(EXIT.missing, `there are no cases in ${paths.join(", ")}`, {
      hint: "cases lie in evals/ of a skill or in .agent/evals; see docs/evals.md",
    });
  }
  const found = lintCases({
    cases,
    catalog: skills.all,
    rules,
    ...(results !== undefined && { results: await resultsOf(results, console) }),
    ...(claim !== undefined && { claim: { passRate: share(claim, "--claim") } }),
  });
  const told = problems.filter((problem) => !isFound(problem, found, rules));
  const diagnostics = [...told.map(ofProblem), ...found.map(ofFinding)];
  const files = grouped(diagnostics);
  print(files, cases.length, format, console);
  const count = (level: Diagnostic["severity"]) =>
    diagnostics.filter(({ severity }) => severity === level).length;
  return count("error") > 0 || count("warning") > (maxWarnings ?? Infinity) ? EXIT.no : EXIT.done;
}

function ruleSettings(given: readonly string[]): RuleSettings {
  const codes = new Set<string>(evalRules.map(({ code }) => code));
  return Object.fromEntries(
    given.map((text) => {
      const [code = "", level = ""] = text.split("=");
      const known = LEVELS.find((one) => one === level);
      if (codes.has(code) && known !== undefined) return [code, known];
      throw new CommandFailure(EXIT.usage, `--rule ${JSON.stringify(text)} sets no rule`, {
        hint: `<code>=<${LEVELS.join("|")}>; codes are ${[...codes].join(", ")}`,
      });
    }),
  );
}

/** What a rule says, with the cases that it is about, need not be said by the reader as well. */
function isFound(
  { code, file, line }: CaseProblem,
  found: readonly EvalDiagnostic[],
  rules: RuleSettings,
): boolean {
  if (code !== "grader-unsupported") return false;
  const isSame = (one: EvalDiagnostic) =>
    one.code === code && one.file === file && one.line === line;
  return rules[code] === "off" || found.some(isSame);
}

function ofProblem({ code, severity, message, file, line, hint }: CaseProblem): Diagnostic {
  return diagnostic({ code, severity, message, file, line, ...(hint !== undefined && { hint }) });
}

function ofFinding(finding: EvalDiagnostic): Diagnostic {
  return diagnostic(finding);
}

type Located = Pick<Diagnostic, "code" | "severity" | "message" | "file" | "line" | "hint">;

function diagnostic(found: Located): Diagnostic {
  return { ...found, column: 1, endLine: found.line, endColumn: 1 };
}

/** In the order in which files were found; each with its text, to show the place. */
function grouped(diagnostics: readonly Diagnostic[]): LintedFile[] {
  const files = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) files.set(one.file, [...(files.get(one.file) ?? []), one]);
  return [...files].map(([file, some]) => ({ file, text: textOf(file), diagnostics: some }));
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
      .replace(/^\ufeff/, "")
      .replaceAll("\r\n", "\n");
  } catch {
    return "";
  }
}

function print(
  files: readonly LintedFile[],
  cases: number,
  format: NonNullable<LintEvalsOptions["format"]>,
  console: Console,
): void {
  const { cwd } = console;
  if (format === "github") return console.print(formatGithub(files, { cwd }));
  if (format === "sarif") {
    return console.print(formatSarif(files, { cwd, version: VERSION, rules: evalRules }));
  }
  const all = files.flatMap(({ diagnostics }) => diagnostics);
  const count = (level: Diagnostic["severity"]) =>
    all.filter(({ severity }) => severity === level).length;
  const counts = { errors: count("error"), warnings: count("warning") };
  if (format === "json") {
    const diagnostics = all.map((one) => ({ ...one, file: relativePath(one.file, cwd) }));
    return console.printJson({ cases, ...counts, diagnostics });
  }
  printHuman(files, { ...counts, infos: count("info"), cases }, console);
}

interface Counts {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly cases: number;
}

function printHuman(files: readonly LintedFile[], counts: Counts, console: Console): void {
  const { colors, width, cwd, quiet, verbose } = console;
  const shown = files.map(({ file, text, diagnostics }) => ({
    file: relativePath(file, cwd),
    text,
    diagnostics: diagnostics
      .filter(
        ({ severity }) => severity === "error" || (!quiet && (verbose || severity !== "info")),
      )
      .map((one) => ({ ...one, file: relativePath(one.file, cwd) })),
  }));
  const report = formatHuman(shown, { colors, width });
  if (report !== "") console.print(`${report}\n`);
  const { errors, warnings, infos, cases } = counts;
  const parts = [
    errors > 0 ? colors.red(plural(errors, "error")) : "",
    warnings > 0 ? colors.yellow(plural(warnings, "warning")) : "",
    verbose && infos > 0 ? colors.cyan(plural(infos, "note")) : "",
  ].filter((part) => part !== "");
  const what = parts.length === 0 ? colors.green("No problems") : parts.join(", ");
  const hidden =
    verbose || quiet || infos === 0 ? "" : ` · ${plural(infos, "note")} with --verbose`;
  console.print(`${what} in ${plural(cases, "case")}${colors.dim(hidden)}`);
}
