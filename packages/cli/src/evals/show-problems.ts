import type { CaseProblem } from "@skillwright/evals";
import { plural, visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import { relativePath } from "../terminal/relative-path.ts";
import type { EvalCommandOptions } from "./eval-options.ts";

const MAX_SHOWN = 50;

/** Each with its place. Cases that cannot be read end the command: fewer cases are another eval. */
export function showProblems(
  problems: readonly CaseProblem[],
  { keepGoing = false }: Pick<EvalCommandOptions, "keepGoing">,
  console: Console,
): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  const shown = console.quiet
    ? errors
    : [...errors, ...problems.filter((one) => !errors.includes(one))];
  for (const { severity, file, line, message, code, hint } of shown.slice(0, MAX_SHOWN)) {
    const place = `${relativePath(file, console.cwd)}:${line}`;
    const more = hint === undefined ? "" : ` (${hint})`;
    console.note(visibleLine(`${place}: ${severity}: ${message}${more} [${code}]`));
  }
  const hidden = shown.length - MAX_SHOWN;
  if (hidden > 0) console.note(`… and ${hidden} more`);
  if (errors.length === 0) return;
  const count = plural(errors.length, "case or file", "cases or files");
  if (keepGoing) {
    console.note(`warning: ${count} cannot be read, and the others are run without them`);
    return;
  }
  throw new CommandFailure(EXIT.usage, `${count} cannot be read`, {
    hint: "fix them, or run the others with --keep-going",
    code: "cases-unreadable",
  });
}
