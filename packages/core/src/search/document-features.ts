import {
  AGAINST,
  hashPair,
  hashText,
  hashWithout,
  LEAN_WORD,
  Lexicon,
  NEIGHBOUR,
  scanText,
  type TextSink,
  type Word,
} from "./lexicon.ts";

/** What is indexed of one skill. Without a body the index rests on name and description. */
export interface SkillDocument {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly body?: string;
  /** Requests that the document is for; they are searched with the description. */
  readonly examples?: readonly string[];
  /** Requests that the document is not for; their words count against it. */
  readonly negatives?: readonly string[];
}

/** How such a clause begins, in English and Chinese; in the last form it is all that stands before. */
const START = new RegExp(
  [
    /\b(?:do not|don['’]t|never|(?:must|should|can|may) ?not be|can['’]t be|not to be)\s+(?:use[ds]?|trigger(?:ed)?|invoke[ds]?|activate[ds]?|apply|applied)\b/,
    /\bnot\s+(?:for|intended for|meant for|suitable for|applicable)\b/,
    /\bskip\s+(?:for|when|if)\b|\bavoid(?:\s+using(?:\s+(?:it|this)(?:\s+skill)?)?)?\s+for\b/,
    /\bbut\s+not\s+(?!limited|only|necessarily|just|exclusively|restricted)\b/,
    /(?<=[(（])\s*not\s+(?!limited|only|necessarily|just|exclusively|restricted)\b/,
    /\bexcludes\b/,
    /不要(?:用|使用|在|触发|觸發)|不(?:可|能|应|應)?用[于於]|不[适適](?:用|合)|不支[持援]|禁止(?:用|使用|在|触发|觸發)/,
    /(?<=^|[。！？；;，,\n])[^。！？；;，,\n]{1,60}勿使用(?=\s*(?:$|[。！？；;，,\n]))/,
    /勿(?:用|使用)|不(?:应|應|会|會|该|該)?(?:触发|觸發)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "giu",
);
const OPENING = "(（";
const CLOSING = ")）";
const FULL_STOPS = ".!?";
const ENDS = "。！？；;\n";
/** So many clauses of one text are looked at. */
const MOST = 64;

/** A description without the clauses that say what the skill is not for, which would match just that. */
export function positiveText(text: string): string {
  return splitText(text).kept;
}

/** A description without the clauses that say what the skill is not for, and those clauses. */
function splitText(text: string): { readonly kept: string; readonly against: string } {
  let kept = "";
  let against = "";
  let from = 0;
  START.lastIndex = 0;
  for (let i = 0; i < MOST; i++) {
    const match = START.exec(text);
    if (match === null) break;
    kept += `${text.slice(from, match.index)}\n`;
    const start = START.lastIndex;
    from = clauseEnd(text, start);
    against += `${text.slice(start, from)}\n`;
    START.lastIndex = from;
  }
  return { kept: kept + text.slice(from), against };
}

function clauseEnd(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const character = text.charAt(i);
    if (ENDS.includes(character)) return i;
    // The stop in "Node.js" ends nothing.
    if (FULL_STOPS.includes(character) && /^\s?$/.test(text.charAt(i + 1))) return i;
    if (OPENING.includes(character)) depth++;
    // A clause in parentheses ends with them.
    if (CLOSING.includes(character) && --depth < 0) return i;
  }
  return text.length;
}

// The bounds keep the time linear where quotes do not close.
const QUOTED =
  /"([^"\n]{2,80})"|“([^”\n]{2,80})”|「([^」\n]{2,80})」|‘([^’\n]{2,80})’|`([^`\n]{2,80})`|(?<![\p{L}\p{N}])'([^'\n]{2,80})'(?![\p{L}\p{N}])/gu;

/** What stands in quotation marks, one a line: authors quote what people will say. */
export function quotedPhrases(text: string): string {
  const phrases: string[] = [];
  for (const match of text.matchAll(QUOTED)) {
    phrases.push(match.slice(1).find((phrase) => phrase !== undefined) ?? "");
  }
  return phrases.join("\n");
}

export interface FeatureSink {
  /** How strongly a document is about a feature: 1 to 255. */
  impact(hash: number, impact: number): void;
  /** A spelling near to a word, and the feature of that word. */
  neighbour(hash: number, word: number): void;
}

type FeatureReader = (document: SkillDocument) => void;

interface Field {
  readonly text: string;
  readonly weight: number;
  /** How far a text longer than usual counts less: 0 not at all, 1 in full. */
  readonly damping: number;
  /**
   * In words. A constant, not the average of the catalog: so a document has the same features in
   * every catalog, and adding one leaves the others as they are.
   */
  readonly usualLength: number;
  readonly lean: boolean;
}

/** What an attacker can make us keep: so much of each text, and so many features of a document. */
const LONGEST_NAME = 256;
const LONGEST_TEXT = 8192;
const MOST_FEATURES = 8192;
/** The strength of one mention beside many, as in BM25. */
const SATURATION = 0.8;
const FULL = 255;
const SHORTEST_MISSPELLED = 4;
const LONGEST_MISSPELLED = 24;

/** Reads the documents of one sink; words met before are not analyzed again. */
export function createFeatureReader(sink: FeatureSink): FeatureReader {
  const lexicon = new Lexicon();
  const spelled = new WeakSet<Word>();
  const onLeanWord = (word: Word) => {
    if (!spelled.has(word)) tellNeighbours(word, sink);
    spelled.add(word);
  };
  return (document) => {
    const strengths = new Map<number, number>();
    for (const field of fieldsOf(document)) {
      const { hashes, length } = readField(field, lexicon, onLeanWord);
      const { weight, damping, usualLength } = field;
      const share = weight / (1 - damping + (damping * length) / usualLength);
      for (const hash of hashes) {
        const before = strengths.get(hash) ?? 0;
        if (before > 0 || strengths.size < MOST_FEATURES) strengths.set(hash, before + share);
      }
    }
    for (const [hash, strength] of strengths) {
      sink.impact(hash, toImpact(strength / (SATURATION + strength)));
    }
    for (const hash of readAgainst(document, lexicon)) {
      if (!strengths.has(hash)) sink.impact(hashPair(AGAINST, hash), FULL);
    }
  };
}

function readAgainst({ description, negatives = [] }: SkillDocument, lexicon: Lexicon) {
  const { against } = splitText(description.slice(0, LONGEST_TEXT));
  const hashes = new Set<number>();
  if (against === "" && negatives.length === 0) return hashes;
  const add = (hash: number) => hashes.size < MOST_FEATURES && hashes.add(hash);
  const sink: TextSink = {
    word: ({ stems }) => stems.forEach(add),
    unspaced: add,
  };
  scanText([against, ...negatives].join("\n"), lexicon, sink, LONGEST_TEXT);
  return hashes;
}

function fieldsOf({ name, description, body = "", examples = [] }: SkillDocument): Field[] {
  const text = positiveText(description.slice(0, LONGEST_TEXT));
  const quoted = quotedPhrases(text);
  return [
    { text: name.slice(0, LONGEST_NAME), weight: 2, damping: 0.3, usualLength: 3, lean: true },
    { text, weight: 1, damping: 0.4, usualLength: 50, lean: true },
    { text: quoted, weight: 0.5, damping: 0, usualLength: 1, lean: true },
    { text: examples.join("\n"), weight: 1, damping: 0.4, usualLength: 50, lean: true },
    {
      text: body,
      weight: 0.25,
      damping: 0.6,
      usualLength: 700,
      lean: false,
    },
  ];
}

/** The features of a text, as often as they are there, and its length in words. */
function readField({ text, lean }: Field, lexicon: Lexicon, onLeanWord: (word: Word) => void) {
  const hashes: number[] = [];
  let length = 0;
  let previous = 0;
  const sink: TextSink = {
    word(word) {
      const stem = word.stems[0];
      if (stem === undefined) return;
      length++;
      for (const part of word.stems) hashes.push(part);
      if (!lean) return;
      onLeanWord(word);
      hashes.push(leanWord(stem));
      for (const gram of word.grams) hashes.push(gram);
      if (previous !== 0) hashes.push(hashPair(previous, stem));
      previous = stem;
    },
    unspaced(hash) {
      length++;
      hashes.push(hash);
      previous = 0;
    },
    lineEnd() {
      previous = 0;
    },
  };
  scanText(text, lexicon, sink, LONGEST_TEXT);
  return { hashes, length };
}

function toImpact(share: number): number {
  return Math.max(1, Math.round(share * FULL));
}

function tellNeighbours(word: Word, sink: FeatureSink): void {
  const [stem] = word.stems;
  if (stem === undefined) return;
  for (const hash of spellingsNear(word.text)) sink.neighbour(hash, leanWord(stem));
}

function leanWord(stem: number): number {
  return hashPair(LEAN_WORD, stem);
}

/**
 * Hashes of the word and of it without each one of its letters. Words with one letter too many, too
 * few, wrong or in the wrong place have one of them in common.
 */
export function spellingsNear(text: string): number[] {
  if (text.length < SHORTEST_MISSPELLED || text.length > LONGEST_MISSPELLED) return [];
  const hashes = [hashText(text, NEIGHBOUR)];
  for (let i = 0; i < text.length; i++) hashes.push(hashWithout(text, i, NEIGHBOUR));
  return hashes;
}
