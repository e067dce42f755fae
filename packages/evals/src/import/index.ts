/** What tests use of this folder; sources import the files themselves. */

export { importCases } from "./import-cases.ts";
