import { join } from "node:path";
import { isAtLeast, scanRules, scanSkill, type ScanSeverity, SEVERITIES } from "@skillwright/packs";
import { plural, visibleLine } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { lintTargets } from "../lint/lint-targets.ts";
import { relativePath } from "../terminal/relative-path.ts";
import { openScanSettings } from "@skillwright/app/internal";
import { type LocatedFinding, scanSarif } from "./scan-sarif.ts";
import { inPieces } from "./with-packs.ts";

export interface ScanCommandOptions extends GlobalOptions {
  readonly failOn?: ScanSeverity | "never";
  readonly format?: "human" | "json" | "sarif";
  readonly rules?: boolean;
}

/** The reason of the scan for files without any text; there is nothing to tell about them. */
const BINARY = "it is binary";

/** Looks through skills for what a person should see before using them. */
export async function scanCommand(
  paths: readonly string[],
  options: ScanCommandOptions,
  console: Console,
): Promise<ExitCode> {
  if (options.rules === true) return printRules(options, console);
  const { failOn, suppressions } = await openScanSettings(options, console);
  const { targets } = await lintTargets(paths, options, console);
  const directories = targets.map(({ directory }) => directory);
  const findings: LocatedFinding[] = [];
  const suppressed: Suppressed[] = [];
  const skipped: { readonly file: string; readonly reason: string }[] = [];
  let files = 0;
  await inPieces(console, async ({ signal, onProgress }) => {
    const total = directories.length;
    for (const [done, directory] of directories.entries()) {
      onProgress({ phase: "scan", done, total, unit: "skills" });
      const result = await scanSkill(directory, { suppressions, signal });
      files += result.files;
      findings.push(...result.findings.map((finding) => ({ ...finding, directory })));
      suppressed.push(...result.suppressed.map((finding) => ({ ...finding, directory })));
      skipped.push(
        ...result.skipped.map(({ file, reason }) => ({ file: join(directory, file), reason })),
      );
    }
    return { ok: true };
  });
  const format = console.json ? "json" : (options.format ?? "human");
  if (format === "json")
    printJson(findings, suppressed, skipped, files, directories.length, console);
  else if (format === "sarif") console.print(scanSarif(findings, await scanRules(), console.cwd));
  else printHuman(findings, suppressed, skipped, directories.length, console);
  const isRefused = findings.some(({ severity }) => isAtLeast(severity, failOn));
  return isRefused ? EXIT.no : EXIT.done;
}

async function printRules({ format }: ScanCommandOptions, console: Console): Promise<ExitCode> {
  const rules = await scanRules();
  if (console.json || format === "json") console.printJson({ rules });
  else {
    for (const { id, severity, category, summary, explanation } of rules) {
      console.print(`${severity.padEnd(8)} ${id} ${console.colors.dim(`${category}: ${summary}`)}`);
      if (console.verbose) console.printText(`         ${explanation}`);
    }
  }
  return EXIT.done;
}

type Suppressed = LocatedFinding & { readonly reason: string; readonly suppressedIn: string };

function printJson(
  findings: readonly LocatedFinding[],
  suppressed: readonly Suppressed[],
  skipped: readonly { readonly file: string; readonly reason: string }[],
  files: number,
  skills: number,
  console: Console,
): void {
  const placed = <Found extends LocatedFinding>({ directory, file, ...finding }: Found) => ({
    ...finding,
    file: relativePath(join(directory, file), console.cwd),
  });
  console.printJson({
    skills,
    files,
    findings: findings.map(placed),
    suppressed: suppressed.map(placed),
    skipped,
  });
}

function printHuman(
  findings: readonly LocatedFinding[],
  suppressed: readonly Suppressed[],
  skipped: readonly { readonly file: string; readonly reason: string }[],
  skills: number,
  console: Console,
): void {
  const { red, yellow, dim, bold } = console.colors;
  for (const {
    directory,
    file,
    line,
    severity,
    rule,
    message,
    evidence,
    fingerprint,
  } of findings) {
    const isSerious = severity === "high" || severity === "critical";
    const paint = isSerious ? red : severity === "medium" ? yellow : dim;
    const place = `${relativePath(join(directory, file), console.cwd)}:${line}`;
    console.print(
      `${bold(visibleLine(place))} ${paint(severity)} ${visibleLine(message)} ${dim(rule)}`,
    );
    if (!console.quiet) console.print(dim(`    ${visibleLine(evidence)}`));
    if (console.verbose) console.print(dim(`    finding ${fingerprint}`));
  }
  for (const { directory, file, line, rule, message, reason, suppressedIn } of suppressed) {
    const place = `${relativePath(join(directory, file), console.cwd)}:${line}`;
    const by = relativePath(suppressedIn, console.cwd);
    const text = `${place} ${message} (${rule}); accepted in ${by}: ${reason}`;
    console.note(dim(visibleLine(text)));
  }
  for (const { file, reason } of skipped) {
    if (console.verbose || reason !== BINARY) {
      console.note(visibleLine(`not looked at: ${relativePath(file, console.cwd)}: ${reason}`));
    }
  }
  const counts = SEVERITIES.toReversed().flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}`];
  });
  const found = counts.length === 0 ? "nothing found" : counts.join(", ");
  console.print(`${plural(skills, "skill")}: ${found}`);
}
