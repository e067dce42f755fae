/** What tests use of this folder; sources import the files themselves. */

export { readInput } from "./read-input.ts";
