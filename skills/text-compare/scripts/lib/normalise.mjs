import { UsageError } from "./command.mjs";

const FORMS = { nfc: "NFC", nfkc: "NFKC" };
const SPACE = /[\p{White_Space}\u200b\ufeff]+/gu;
const MARKS = /[\p{P}\p{S}]+/gu;

export const OPTIONS = {
  "ignore-case": { type: "boolean" },
  "ignore-space": { type: "boolean" },
  normalize: { type: "string" },
};

/** What two lines must have in common to count as the same. */
export function keyMaker({ normalize, "ignore-case": ignoreCase, "ignore-space": ignoreSpace }) {
  const form = normalize === undefined ? undefined : FORMS[normalize.toLowerCase()];
  if (normalize !== undefined && form === undefined) {
    throw new UsageError(`--normalize is nfc or nfkc, not ${normalize}`);
  }
  return (line) => {
    let key = form === undefined ? line : line.normalize(form);
    if (ignoreCase) key = foldCase(key);
    return ignoreSpace ? foldSpace(key) : key;
  };
}

/** What kind of difference there is, when it is one that is easily overlooked. */
export function kindOfChange(a, b) {
  if (foldSpace(a) === foldSpace(b)) return "white space";
  if (a.normalize("NFKC") === b.normalize("NFKC")) return "form of characters";
  if (foldCase(a) === foldCase(b)) return "upper and lower case";
  const plain = (text) => foldSpace(text.normalize("NFKC").replace(MARKS, " "));
  return plain(a) === plain(b) ? "punctuation" : undefined;
}

function foldCase(text) {
  return text.toUpperCase().toLowerCase();
}

/** Runs of blanks count as one, at both ends as none. */
function foldSpace(text) {
  return text.replace(SPACE, " ").trim();
}
