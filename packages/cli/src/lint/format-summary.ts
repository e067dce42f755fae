import { plural } from "@skillwright/core/internal";
import type { Colors } from "../terminal/colors.ts";

export interface LintCounts {
  /** Skills looked at. */
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  /** Of those, how many `--fix` would remove. */
  readonly fixable: number;
  /** Removed by `--fix` just now; not among the others. */
  readonly fixed: number;
  /** Folders that were not searched. */
  readonly unfinished: number;
}

/** The line that closes a report: `2 errors, 1 warning in 3 skills · 1 fixable with --fix`. */
export function formatSummary(counts: LintCounts, colors: Colors): string {
  const { files, errors, warnings, infos, fixable, fixed, unfinished } = counts;
  const problems = [
    errors > 0 ? colors.red(plural(errors, "error")) : "",
    warnings > 0 ? colors.yellow(plural(warnings, "warning")) : "",
    infos > 0 ? colors.cyan(plural(infos, "info")) : "",
  ].filter((part) => part !== "");
  const what = problems.length === 0 ? colors.green("No problems") : problems.join(", ");
  return [
    `${what} in ${plural(files, "skill")}`,
    fixed > 0 ? `${fixed} fixed` : "",
    fixable > 0 ? `${fixable} fixable with --fix` : "",
    unfinished > 0
      ? colors.red(`incomplete: ${plural(unfinished, "folder")} not searched, see above`)
      : "",
  ]
    .filter((part) => part !== "")
    .join(" · ");
}
