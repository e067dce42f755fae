import { type MergedLines, mergeLines } from "./merge-lines.ts";

const MAX_TEXT_BYTES = 1024 * 1024;

export type MergedText =
  | { readonly ok: true; readonly text: string }
  | Extract<MergedLines, { ok: false }>;

/** The text of a file; undefined for one that is binary or too large to be compared by lines. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_TEXT_BYTES || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Joins two changes of a text. When every side has one kind of line ending that kind is merged like
 * a property of the whole, so that an editor that turned all of them is no conflict.
 */
export function mergeText(base: string, local: string, incoming: string): MergedText {
  const kinds = [base, local, incoming].map(lineEnding);
  if (kinds.includes("mixed")) return joined(mergeLines(...linesOf(base, local, incoming)));
  const [baseKind, localKind, incomingKind] = kinds;
  const plain = [base, local, incoming].map((text) => text.replaceAll("\r\n", "\n"));
  const merged = joined(mergeLines(...linesOf(...(plain as [string, string, string]))));
  if (!merged.ok) return merged;
  const kind = localKind === baseKind || localKind === "none" ? incomingKind : localKind;
  return kind === "crlf" ? { ok: true, text: merged.text.replaceAll("\n", "\r\n") } : merged;
}

/** Each with its ending; only the last may have none. */
export function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function linesOf(...texts: [string, string, string]): [string[], string[], string[]] {
  return [toLines(texts[0]), toLines(texts[1]), toLines(texts[2])];
}

function joined(merged: MergedLines): MergedText {
  return merged.ok ? { ok: true, text: merged.lines.join("") } : merged;
}

function lineEnding(text: string): "crlf" | "lf" | "mixed" | "none" {
  const all = text.split("\n").length - 1;
  const crlf = text.split("\r\n").length - 1;
  if (all === 0) return "none";
  return crlf === 0 ? "lf" : crlf === all ? "crlf" : "mixed";
}
