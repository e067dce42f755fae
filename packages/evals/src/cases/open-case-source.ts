import type { CaseProblem } from "./case-problem.ts";
import type { CaseReading, CaseSource } from "./case-source.ts";
import { readDocument } from "./document/read-document.ts";
import { readCaseText } from "./read-case-text.ts";

/** YAML takes many times its size while it is read. */
const MAX_BYTES = { json: 16 * 1024 * 1024, yaml: 4 * 1024 * 1024 };

/** Reads a file of cases. What is wrong with it as a whole goes to the problems. */
export function openCaseSource(
  file: string,
  { problems, opened, places }: CaseReading,
  severity: CaseProblem["severity"] = "error",
): CaseSource | undefined {
  opened.add(file);
  const format = /\.json$/i.test(file) ? "json" : "yaml";
  const text = readCaseText(file, MAX_BYTES[format]);
  if (typeof text === "object") {
    const { problem: message } = text;
    problems.push({ code: "file-unreadable", severity, message, file, line: 1 });
    return undefined;
  }
  const read = readDocument(text, format);
  if (!read.ok) {
    const { message, line } = read;
    problems.push({ code: "file-invalid", severity, message, file, line });
    return undefined;
  }
  return { file, document: read.document, ...places.of(file), problems, opened, places };
}
