/** What tests use of this folder; sources import the files themselves. */

export { summarizePreferences } from "./summarize-preferences.ts";
