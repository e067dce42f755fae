import type { CaseProblem, CaseProblemCode } from "./case-problem.ts";
import type { DataDocument, DocumentPath } from "./document/data-document.ts";

/** A file of cases that was read. */
export interface CaseSource {
  /** Absolute. */
  readonly file: string;
  readonly document: DataDocument;
  /** The skill in whose folder it lies. */
  readonly skill?: string;
  /** No file of a case lies outside of this folder; absolute and real. */
  readonly bounds: string;
  readonly problems: CaseProblem[];
  /** All files that were opened as cases, absolute. */
  readonly opened: Set<string>;
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
