/** What tests use of this folder; sources import the files themselves. */

export { SpillFile } from "./run-recorded.ts";
export { commandLineRunner } from "./create-runtime.ts";
