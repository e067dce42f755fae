import type { CasePlace, CasePlaces } from "./case-places.ts";
import type { CaseProblem, CaseProblemCode } from "./case-problem.ts";
import type { DataDocument, DocumentPath } from "./document/data-document.ts";

/** What all files of one reading share. */
export interface CaseReading {
  readonly problems: CaseProblem[];
  /** All files that were opened as cases, absolute. */
  readonly opened: Set<string>;
  readonly places: CasePlaces;
}

/** A file of cases that was read. */
export interface CaseSource extends CaseReading, CasePlace {
  /** Absolute. */
  readonly file: string;
  readonly document: DataDocument;
}

export function report(
  { file, document, problems }: CaseSource,
  path: DocumentPath,
  code: CaseProblemCode,
  message: string,
  severity: CaseProblem["severity"] = "error",
): void {
  problems.push({ code, severity, message, file, line: document.lineOf(path) });
}
