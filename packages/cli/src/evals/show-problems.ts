import type { CaseProblem } from "@skillwright/evals";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import { relativePath } from "../terminal/relative-path.ts";
import { visibleText } from "../terminal/visible-text.ts";
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
    console.note(visibleText(`${place}: ${severity}: ${message}${more} [${code}]`));
  }
  const hidden = shown.length - MAX_SHOWN;
  if (hidden > 0) console.note(`… and ${hidden} more`);
  if (errors.length === 0) return;
  const count = errors.length === 1 ? "1 case or file" : `${errors.length} cases or files`;
  if (keepGoing) {
    console.note(`warning: ${count} cannot be read, and the others are run without them`);
    return;
  }
  throw new CommandFailure(EXIT.usage, `${count} cannot be read`, {
    hint: "mend them, or run the others with --keep-going",
    code: "cases-unreadable",
  });
}
