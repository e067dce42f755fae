import { join } from "node:path";
import type { DraftFile } from "../case-draft.ts";
import type { CaseSource } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import { type Fields, isFields, textOf } from "../fields.ts";
import { reportOnce } from "./unsupported.ts";

/** Relative to the fixtures, which stand beside the suite unless it is said where. */
export function wazaFiles(item: Fields, inputs: Fields, folder: string): DraftFile[] | undefined {
  const base = join(folder, textOf(item, "context_dir") ?? "fixtures");
  const given = inputs["files"] ?? [];
  if (!Array.isArray(given)) return undefined;
  const files = given.map((file: unknown): DraftFile | undefined => {
    if (typeof file === "string") return { from: file, path: file, base };
    const path = isFields(file) ? textOf(file, "path") : undefined;
    if (!isFields(file) || path === undefined) return undefined;
    const content = typeof file["content"] === "string" ? file["content"] : undefined;
    return content === undefined ? { path, from: path, base } : { path, content, base };
  });
  return files.every((file) => file !== undefined) ? files : undefined;
}

/** What another client would give to the agent as well. */
export function warnOfWazaInputs(
  source: CaseSource,
  item: Fields,
  inputs: Fields,
  path: DocumentPath,
): void {
  const left = [
    ...["context", "environment"]
      .filter((name) => isGiven(inputs[name]))
      .map((name) => ["inputs", name]),
    ...(isGiven(item["hooks"]) ? [["hooks"]] : []),
  ];
  for (const names of left) {
    const message = `${names.join(".")} is not used here: the agent gets the prompt and the files`;
    reportOnce(source, [...path, ...names], "case-invalid", message, "warning");
  }
}

function isGiven(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}
