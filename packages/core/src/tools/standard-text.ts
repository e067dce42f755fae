import { plainText } from "./plain-text.ts";
import { resolvedNote } from "./read-text.ts";

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
