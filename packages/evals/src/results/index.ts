/** What tests use of this folder; sources import the files themselves. */

export { readResults, saveResults } from "./results-file.ts";
export { resultsText } from "./results-text.ts";
