/** What tests use of this folder; sources import the files themselves. */

export { casesJsonSchema, casesSchemaText } from "./case-schema.ts";
export { foundBy } from "./find-case-files.ts";
export { readCases } from "./read-cases.ts";
export { readDocument } from "./read-document.ts";
