/** What tests use of this folder; sources import the files themselves. */

export { phrasesOf } from "./suggest-negatives.ts";
