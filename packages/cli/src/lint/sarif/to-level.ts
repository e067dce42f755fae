import type { Diagnostic } from "@skillwright/core";

export type Level = "error" | "warning" | "note";

export function toLevel(severity: Diagnostic["severity"]): Level {
  return severity === "info" ? "note" : severity;
}
