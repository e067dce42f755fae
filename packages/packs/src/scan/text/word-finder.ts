import { foldTable, foldText } from "./fold-character.ts";

/** Classes of characters. */
const SKIPPED = 0;
const OTHER = 1;
const FIRST_LETTER = 2;

/** A step holds the next state, and this bit when words end there. */
const ENDS = 0x8000;
const STATE = 0x7fff;

/**
 * Finds many words in one pass over a text, whatever their number (Aho–Corasick), reading it as
 * `foldTable` says.
 */
export class WordFinder {
  readonly #classes: Uint8Array;
  readonly #width: number;
  readonly #next: Uint16Array;
  readonly #found: readonly (readonly number[] | undefined)[];

  constructor(given: readonly string[]) {
    const words = given.map(foldText);
    const letters = [...new Set(words.join(""))];
    this.#width = letters.length + 2;
    this.#classes = classes(letters);
    const tree = growTree(words, this.#classes, this.#width);
    this.#next = tree.next;
    this.#found = tree.found;
  }

  /** Calls back with the index of each word and the offset of its last character, in order. */
  find(text: string, onFound: (word: number, end: number) => void): void {
    const [kinds, next, found, width] = [this.#classes, this.#next, this.#found, this.#width];
    let state = 0;
    for (let index = 0; index < text.length; index++) {
      const kind = kinds[text.charCodeAt(index)] as number;
      if (kind === SKIPPED) continue;
      const step = next[state * width + kind] as number;
      state = step & STATE;
      if (step !== state)
        for (const word of found[state] as readonly number[]) onFound(word, index);
    }
  }
}

function classes(letters: readonly string[]): Uint8Array {
  const kindOf = new Map(
    letters.map((letter, index) => [letter.charCodeAt(0), index + FIRST_LETTER]),
  );
  return Uint8Array.from(foldTable(), (code) =>
    code === 0 ? SKIPPED : (kindOf.get(code) ?? OTHER),
  );
}

function growTree(words: readonly string[], kinds: Uint8Array, width: number) {
  const size = words.reduce((sum, word) => sum + word.length, 1);
  const edges = new Uint16Array(size * width);
  const ends: number[][] = [];
  let states = 1;
  for (const [index, word] of words.entries()) {
    let state = 0;
    for (const letter of word) {
      const edge = state * width + (kinds[letter.charCodeAt(0)] as number);
      if (edges[edge] === 0) edges[edge] = states++;
      state = edges[edge] as number;
    }
    (ends[state] ??= []).push(index);
  }
  return linkSuffixes(edges, ends, states, width);
}

/**
 * Gives every state the edges and words of the longest suffix that is a state too. States are numbered
 * by depth: those near the root, where nearly all of a text is read, lie side by side in memory.
 */
function linkSuffixes(
  edges: Uint16Array,
  ends: readonly number[][],
  states: number,
  width: number,
) {
  const next = new Uint16Array(states * width);
  const found: (readonly number[] | undefined)[] = [ends[0]];
  const queue: { readonly old: number; readonly suffix: number }[] = [{ old: 0, suffix: 0 }];
  for (let state = 0; state < queue.length; state++) {
    const { old, suffix } = queue[state] as { old: number; suffix: number };
    if (state > 0) {
      const own = ends[old] ?? [];
      const inherited = found[suffix] ?? [];
      found[state] = own.length + inherited.length === 0 ? undefined : [...own, ...inherited];
    }
    for (let kind = OTHER; kind < width; kind++) {
      const child = edges[old * width + kind] as number;
      const other = state === 0 ? 0 : (next[suffix * width + kind] as number);
      next[state * width + kind] =
        child === 0 ? other : queue.push({ old: child, suffix: other }) - 1;
    }
  }
  for (const [edge, state] of next.entries()) {
    if (found[state] !== undefined) next[edge] = state | ENDS;
  }
  return { next, found };
}
