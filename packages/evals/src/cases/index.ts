/** What tests use of this folder; sources import the files themselves. */

export { casesJsonSchema, casesSchemaText } from "./case-schema.ts";
export { findWazaTasks, isTaskPath } from "./dialects/waza-tasks.ts";
export { readDocument } from "./document/read-document.ts";
export { foundBy } from "./find/find-case-files.ts";
export { readCases } from "./read-cases.ts";
