import { sep } from "node:path";
import type { Diagnostic } from "@skillwright/core";
import { plural, visibleLine } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { relativePath } from "../../terminal/relative-path.ts";
import { scanProblems } from "@skillwright/app/internal";

const MAX_ROOTS = 4;

/** Says what kept skills from being found, and where the problems of single skills are shown. */
export function noteProblems(
  diagnostics: readonly Diagnostic[],
  roots: readonly string[],
  console: Console,
): void {
  const problems = scanProblems(diagnostics);
  if (problems.length > 0) noteScanProblems(problems, console);
  const inSkills = diagnostics.filter((one) => !problems.includes(one));
  const errors = inSkills.filter(({ severity }) => severity === "error").length;
  const warnings = inSkills.filter(({ severity }) => severity === "warning").length;
  if (errors + warnings === 0) return;
  const paths = rootsOf(inSkills, roots, console.cwd);
  const command = visibleLine(["skillwright lint", ...paths].join(" "));
  const counts = `${plural(errors, "error")} and ${plural(warnings, "warning")} in skills`;
  console.note(`\n${counts}; shown by: ${command}`);
}

function noteScanProblems(problems: readonly Diagnostic[], console: Console): void {
  const shown = console.verbose ? problems : problems.slice(0, 1);
  const more = shown.length < problems.length ? "; the first (--verbose shows all)" : "";
  console.note(`\n${plural(problems.length, "problem")} on the way to skills${more}:`);
  for (const { file, message } of shown) {
    console.note(visibleLine(`  ${relativePath(file, console.cwd)}: ${message}`));
  }
}

function rootsOf(
  diagnostics: readonly Diagnostic[],
  roots: readonly string[],
  cwd: string,
): string[] {
  const found = roots.filter((root) => {
    return diagnostics.some(
      ({ file, severity }) => severity !== "info" && file.startsWith(`${root}${sep}`),
    );
  });
  return found.slice(0, MAX_ROOTS).map((root) => {
    const path = relativePath(root, cwd);
    return path.startsWith("../") ? root : path;
  });
}
