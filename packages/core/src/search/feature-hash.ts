/**
 * An index knows its features – words, word pairs, pieces of words – by 32-bit hashes, so that it
 * can be loaded without making a string of each. Two features that share one by chance only share a
 * score. The kinds differ in their seed.
 */
export const WORD = 0x811c9dc5;
/** A word of a name or description again, for what was spelled almost like it. */
export const LEAN_WORD = 0x2f0b4a91;
export const GRAM = 0x51ab3f07;
export const UNSPACED = 0x7c1d90e3;
export const NEIGHBOUR = 0x1b56c4e9;

export function hashText(text: string, seed: number): number {
  return hashRange(text, 0, text.length, seed);
}

export function hashRange(text: string, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return mixed(hash);
}

/** The text as it is without one of its characters. */
export function hashWithout(text: string, at: number, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i++) {
    if (i !== at) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return mixed(hash);
}

export function hashPair(first: number, second: number): number {
  return mixed(Math.imul(first, 31) ^ second ^ 0x68e31da4);
}

function mixed(hash: number): number {
  let value = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
