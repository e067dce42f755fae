import type { Failure } from "../failure.ts";

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
