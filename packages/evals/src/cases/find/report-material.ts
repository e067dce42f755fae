import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { CaseReading } from "../case-source.ts";
import { detectDialect } from "../dialects/detect-dialect.ts";
import type { EvalCase } from "../eval-case.ts";
import { openCaseSource } from "../open-case-source.ts";
import type { FoundCaseFile } from "./found-case-files.ts";
import { isResult } from "./is-result.ts";

/** Warns of cases that lie among the files that cases need, where nobody reads or uses them. */
export function reportMaterial(
  files: readonly FoundCaseFile[],
  cases: readonly EvalCase[],
  { problems, opened, places }: CaseReading,
): void {
  const used = new Set(cases.flatMap((one) => one.files.flatMap(({ from }) => from ?? [])));
  for (const { path, kind } of files) {
    if (kind !== "material" || opened.has(path) || used.has(realPath(path))) continue;
    // What it cannot be read as is no loss here: such files are often broken on purpose.
    const source = openCaseSource(path, { problems: [], opened: new Set(), places });
    if (source === undefined || isResult(source.document.value)) continue;
    if (detectDialect(path, source.document) === undefined) continue;
    const message = `it looks like cases, but lies in ${basename(dirname(path))}/ and is not read`;
    const hint = "Move it out of that folder, or name it on the command line.";
    problems.push({
      code: "file-unreadable",
      severity: "warning",
      message,
      file: path,
      line: 1,
      hint,
    });
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
