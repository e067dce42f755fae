import { promptLine } from "../internal/frame.ts";

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
