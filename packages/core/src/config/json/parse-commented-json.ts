import stripJsonComments from "strip-json-comments";
import { scanJson } from "./scan-json.ts";

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly line: number; readonly column: number };

/** JSON with comments and trailing commas; a text without any value is an empty object. */
export function parseCommentedJson(text: string): ParsedJson {
  const plain = plainJson(text);
  if (plain.trim() === "") return { ok: true, value: {} };
  try {
    return { ok: true, value: JSON.parse(plain) };
  } catch {
    // The engine's message quotes the file, which may hold secrets.
    const scan = scanJson(plain);
    const before = plain.slice(0, scan.ok ? 0 : scan.offset).split("\n");
    return { ok: false, line: before.length, column: (before.at(-1) ?? "").length + 1 };
  }
}

/** The text as strict JSON; every character keeps its offset. */
export function plainJson(text: string): string {
  return stripJsonComments(text, { trailingCommas: true });
}
