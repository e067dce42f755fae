/** What tests use of this folder; sources import the files themselves. */

export { fullText, shortText } from "./catalog-entry.ts";
