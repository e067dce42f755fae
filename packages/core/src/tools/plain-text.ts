import { failureText, isFailure } from "./failure-text.ts";

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
