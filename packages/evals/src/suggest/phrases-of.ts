const LONGEST_DESCRIPTION = 4000;
const MOST_PHRASES = 40;
const FEWEST_WORDS = 3;
const MOST_WORDS = 25;
const MOST_LETTERS = 400;

/** What comes before the thing that is asked for. */
const LEAD =
  /^(?:use (?:this|it)?\s*(?:skill)?\s*(?:when(?:ever)?|for|if|to)\b|also (?:use|for)\b|(?:this|the) skill\b|helps?\b|when(?:ever)?\b|and\b|or\b|for\b|triggers?:?\b)\s*/i;
const ASKER =
  /^(?:(?:the )?(?:users?|persons?|people|some(?:one|body)|any(?:one|body)|they|you)\s+(?:wants?|needs?|asks?|has|have|says?|would like)\s*(?:you)?\s*(?:to|for|about|with)?\s*|asked to\s+|working with\s+|to\s+)/i;
/** What is left of a sentence whose quotes are taken out. */
const TRAIL = /(?:[\s,–—-]|\b(?:and|or|says?|asks?|mentions?|like|such as))+$/i;
const NEGATIVE = /\b(?:do not|don't|never|not for|instead of|except|rather than|unless)\b/i;

/** Requests that a description speaks of, as a person would begin them. */
export function phrasesOf(wholeDescription: string): string[] {
  const description = wholeDescription.slice(0, LONGEST_DESCRIPTION);
  const found = new Set<string>();
  for (const [, quote = ""] of description.matchAll(/["“]([^"“”\n]{5,200})["”]/g)) {
    addPhrase(found, quote);
  }
  const plain = description.replace(/["“][^"“”\n]*["”]/g, " ");
  for (const sentence of plain.split(/[.!?;:\n。！？；]+/)) {
    if (NEGATIVE.test(sentence)) continue;
    addPhrase(found, sentence);
    const parts = sentence.split(/,\s*(?:and\s+|or\s+)?|\s+or\s+|，|、/);
    if (parts.length > 1) for (const part of parts) addPhrase(found, part);
  }
  return [...found].slice(0, MOST_PHRASES);
}

function addPhrase(found: Set<string>, text: string): void {
  let phrase = text.replace(/\s+/g, " ").trim();
  for (let before = ""; before !== phrase;) {
    before = phrase;
    phrase = phrase.replace(LEAD, "").replace(ASKER, "").trim();
  }
  phrase = imperative(phrase).slice(0, MOST_LETTERS).replace(TRAIL, "");
  const words = phrase.split(" ").length;
  const isLong = words >= FEWEST_WORDS || /[\u3040-\u9fff]{4,}/.test(phrase);
  if (isLong && words <= MOST_WORDS) found.add(phrase.charAt(0).toUpperCase() + phrase.slice(1));
}

/** "Extracts text" → "Extract text": descriptions speak of the skill, people speak to it. */
function imperative(phrase: string): string {
  return phrase
    .replace(/^([A-Za-z]{2,}[^s\W])s\b(?=\s)/, "$1")
    .replace(/^([A-Za-z]+ (?:and|or) [a-z]{2,}[^s\W])s\b(?=\s)/, "$1");
}
