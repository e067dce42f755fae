/** What tests use of this folder; sources import the files themselves. */

export type { ContextEntry } from "./run-event.ts";
