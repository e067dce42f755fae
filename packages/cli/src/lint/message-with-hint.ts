import type { Diagnostic } from "@skillwright/core";

/** For formats that have no place of their own for a hint. */
export function messageWithHint({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message}\nhint: ${hint}`;
}
