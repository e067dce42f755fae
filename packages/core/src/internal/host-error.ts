const MARKER = Symbol.for("skillwright.host-errors");

type Marked = typeof globalThis & { [MARKER]?: WeakSet<object> };

/**
 * Marks what code of the host threw in order to stop its own work, such as an interrupt of its framework.
 * It passes through every tool as it is, while other errors become results.
 */
export function markHostError(error: unknown): void {
  if (typeof error === "object" && error !== null) marked().add(error);
}

export function isHostError(error: unknown): boolean {
  return typeof error === "object" && error !== null && marked().has(error);
}

/** One for all copies of this package. */
function marked(): WeakSet<object> {
  return ((globalThis as Marked)[MARKER] ??= new WeakSet());
}
