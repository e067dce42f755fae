import type { DraftFile } from "../case-draft.ts";
import { isFields, textOf } from "../fields.ts";

export const FILES_WANTED =
  "files are a list of paths, or of objects with a path and where it comes from or its content";

/** A list of files as several clients write it. Undefined when one cannot be read: the case would lack it. */
export function readFiles(given: unknown, base: string): DraftFile[] | undefined {
  if (given === undefined || given === null) return [];
  const list: readonly unknown[] = typeof given === "string" ? [given] : asList(given);
  const files = list.map((file): DraftFile | undefined => {
    if (typeof file === "string") return { from: file, base };
    if (!isFields(file)) return undefined;
    const named = textOf(file, "path", "name", "filename");
    const path = textOf(file, "dest", "destination") ?? named;
    const from = textOf(file, "from", "source", "src") ?? named;
    const content = typeof file["content"] === "string" ? file["content"] : undefined;
    if (content !== undefined && path !== undefined) return { path, content, base };
    return from === undefined ? undefined : { from, ...(path !== undefined && { path }), base };
  });
  return files.every((file) => file !== undefined) ? files : undefined;
}

/** `{ "a.txt": "content" }` is a list as well. */
function asList(given: unknown): readonly unknown[] {
  if (Array.isArray(given)) return given as unknown[];
  if (!isFields(given)) return [given];
  const isOne = textOf(given, "path", "from", "source", "src") !== undefined;
  if (isOne || Object.values(given).some((content) => typeof content !== "string")) return [given];
  return Object.entries(given).map(([path, content]) => ({ path, content }));
}
