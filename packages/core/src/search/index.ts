/** What tests use of this folder; sources import the files themselves. */

export { englishWords, toSimplified } from "./chinese-words.ts";
export { positiveText, quotedPhrases } from "./document-features.ts";
export { stemEnglish } from "./stem-english.ts";
