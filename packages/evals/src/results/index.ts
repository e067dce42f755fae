/** What tests use of this folder; sources import the files themselves. */

export { readResults, resultsText, saveResults } from "./results-file.ts";
