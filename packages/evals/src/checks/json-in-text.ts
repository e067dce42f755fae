import type { Failure } from "@skillwright/core";

export type JsonInText = { readonly ok: true; readonly value: unknown } | Failure<"no-json">;

const FENCED = /^```(?:json[c5]?)?[^\S\n]*\n(.*?)\n[^\S\n]*```/gims;
const MAX_FENCES = 20;

/** The JSON that a text is, or the first fenced block in it that is some. */
export function jsonInText(text: string): JsonInText {
  const fenced = [...text.matchAll(FENCED)].slice(0, MAX_FENCES).map(([, inner = ""]) => inner);
  for (const candidate of [text, ...fenced]) {
    const value = parsed(candidate);
    if (value !== undefined) return { ok: true, value };
  }
  return { ok: false, code: "no-json", message: "it is no JSON, and holds no block of it" };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
