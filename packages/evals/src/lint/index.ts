/** What tests use of this folder; sources import the files themselves. */

export { nearDuplicates } from "./check-suite.ts";
