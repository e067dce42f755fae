import type { Failure } from "../failure.ts";
import type { FileEntry } from "../files/list-files.ts";
import { promptLine } from "../internal/text.ts";
import { resolvedNote } from "./read-text.ts";

/** A failure in sentences. */
export function failureText({ message, hint, candidates = [] }: Failure): string {
  const near = candidates.length === 0 ? [] : [`Did you mean: ${candidates.join(", ")}?`];
  return ["Error:", sentence(message), ...(hint === undefined ? [] : [sentence(hint)]), ...near]
    .join(" ")
    .trim();
}

/** Found in a value that came from anywhere. */
export function isFailure(value: unknown): value is Failure {
  if (typeof value !== "object" || value === null) return false;
  const { ok, code, message } = value as Partial<Record<string, unknown>>;
  return ok === false && typeof code === "string" && typeof message === "string";
}

function sentence(text: string): string {
  return /[.!?。！？]$/.test(text) ? text : `${text}.`;
}

/** Any value as text that a model or person can read. Never throws. */
export function plainText(value: unknown): string {
  try {
    if (typeof value === "string") return value;
    if (isFailure(value)) return failureText(value);
    // Undefined for what JSON has no word for.
    return JSON.stringify(value, withoutBigints) ?? "";
  } catch {
    return "The result cannot be shown.";
  }
}

function withoutBigints(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** What a search found, a line each. */
export function resultLines(results: readonly unknown[]): string {
  if (results.length === 0) return "No skill was found.";
  return results.map(lineOf).join("\n");
}

function lineOf(result: unknown): string {
  const { name, description } = (result ?? {}) as Partial<Record<string, unknown>>;
  return `- ${lineFrom(name)}: ${lineFrom(description)}`;
}

function lineFrom(value: unknown): string {
  return typeof value === "string" ? promptLine(value) : "";
}

/** A read file: its text, and which lines it is when it is not all. */
export function fileText(result: unknown): string {
  const read = (result ?? {}) as Partial<Record<string, unknown>>;
  const { text, path, resolvedFrom, startLine, endLine, totalLines, endOfFile, nextByte } = read;
  if (typeof text !== "string") return plainText(result);
  const note =
    typeof resolvedFrom === "string" ? resolvedNote(plainText(path), resolvedFrom) : undefined;
  const isWhole = startLine === 1 && endOfFile === true;
  if (isWhole && note === undefined) return text;
  const all = typeof totalLines === "number" ? ` of ${totalLines}` : "";
  const end = endOfFile === true ? ", the end of the file" : cutAt(endLine, nextByte);
  const body = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const place = `[lines ${plainText(startLine)}-${plainText(endLine)}${all}${end}]`;
  return body + [isWhole ? undefined : place, note].filter((line) => line !== undefined).join("\n");
}

function cutAt(line: unknown, nextByte: unknown): string {
  if (typeof nextByte !== "number") return "";
  return `; line ${plainText(line)} is cut, go on with startLine ${plainText(line)} and startByte ${nextByte}`;
}

/** A line for each file. */
export function listText(result: unknown): string {
  const { files, truncated } = (result ?? {}) as Partial<Record<string, unknown>>;
  if (!Array.isArray(files)) return plainText(result);
  const lines = files.map((file: unknown) => {
    const { path, size } = (file ?? {}) as Partial<Record<string, unknown>>;
    return typeof size === "number" ? `${plainText(path)} (${size} bytes)` : plainText(path);
  });
  if (truncated === true) lines.push("and more; list a folder of it");
  return lines.length === 0 ? "The skill has no such files." : lines.join("\n");
}

/** What lies directly in a folder of this depth, a line each: files with their size, then `name/` for folders. */
export function directoryLines(files: readonly FileEntry[], depth: number): string[] {
  const lines: string[] = [];
  const folders = new Map<string, { count: number; size: number }>();
  for (const { path, size } of files) {
    const [name = "", ...below] = path.split("/").slice(depth);
    if (below.length === 0) {
      lines.push(size === undefined ? name : `${name} (${size} bytes)`);
      continue;
    }
    const folder = folders.get(name) ?? { count: 0, size: 0 };
    folders.set(name, { count: folder.count + 1, size: folder.size + (size ?? 0) });
  }
  for (const [name, { count, size }] of folders) {
    lines.push(`${name}/ (${count} ${count === 1 ? "file" : "files"}, ${size} bytes)`);
  }
  return lines;
}

/** As many of the first elements as their texts fit into so many bytes. */
export function fitList<T>(
  elements: readonly T[],
  maxBytes: number,
  textOf: (element: T) => string,
): { readonly fitting: readonly T[]; readonly left: number } {
  let bytes = 0;
  const end = elements.findIndex((element) => {
    bytes += Buffer.byteLength(textOf(element)) + 1;
    return bytes > maxBytes;
  });
  const count = end === -1 ? elements.length : end;
  return { fitting: elements.slice(0, count), left: elements.length - count };
}

/** A bug of ours or of the host: the model still gets an answer. */
export function toolFailed(name: string, error: unknown): Failure<"tool-failed"> {
  const reason = error instanceof Error ? error.message : "an unknown error";
  return { ok: false, code: "tool-failed", message: `${name} failed: ${reason}` };
}
