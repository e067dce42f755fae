import { randomUUID } from "node:crypto";

/** A clock that goes back further than this was set, and is believed. */
const MAX_AHEAD_MS = 10_000;

/** Names of runs, `<timestamp>-<id>`: who sorts them has them in the order in which they began. */
export function createRunIds(clock: () => number = Date.now): () => string {
  let last = 0;
  return () => {
    const now = clock();
    last = last >= now && last - now < MAX_AHEAD_MS ? last + 1 : now;
    const time = new Date(last).toISOString().replaceAll(/[-:.]/g, "");
    return `${time}-${randomUUID().slice(0, 8)}`;
  };
}
