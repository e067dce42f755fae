import { quoteName } from "@skillwright/core/internal";

/** A path in a message. */
export function quotePath(path: string): string {
  return quoteName(path, 200);
}
