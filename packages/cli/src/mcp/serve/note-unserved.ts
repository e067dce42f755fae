import type { Diagnostic } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { scanProblems } from "@skillwright/app/internal";

const MAX_SHOWN = 20;

/** Says at the start why skills are not served: folders that are not there, and skills that cannot be used. */
export function noteUnserved(diagnostics: readonly Diagnostic[], console: Console): void {
  const unusable = diagnostics.filter(({ effect }) => effect !== undefined);
  const problems = [...new Set([...scanProblems(diagnostics), ...unusable])];
  for (const { file, line, message, effect } of problems.slice(0, MAX_SHOWN)) {
    // Absolute paths: the log of a client does not show the working directory.
    const place = effect === undefined ? file : `${file}:${line}`;
    console.note(visibleLine(`warning: ${place}: ${message}`));
  }
  const left = problems.length - MAX_SHOWN;
  if (left > 0) console.note(`warning: and ${left} more; shown by: skillwright list --json`);
}
