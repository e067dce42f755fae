/** What tests use of this folder; sources import the files themselves. */

export { isSameRequest } from "./match-cases.ts";
