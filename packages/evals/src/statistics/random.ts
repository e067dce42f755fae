export interface Random {
  /** At least 0, less than 1. */
  next(): number;
  /** A whole number of at least 0 and less than `limit`, which is far below 2 ** 32. */
  below(limit: number): number;
  /** 32 bits. */
  bits(): number;
}

type State = [number, number, number, number];

/** The same numbers for the same seed, on every machine. */
export function createRandom(seed: number): Random {
  const next = generator(stateOf(seed));
  const share = () => ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992;
  return {
    next: share,
    below: (limit) => Math.floor((next() / 4_294_967_296) * limit),
    bits: next,
  };
}

/** xoshiro128** of Blackman and Vigna: whole numbers of 32 bits. */
export function generator(state: State): () => number {
  let [a, b, c, d] = state;
  return () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotate(d, 11);
    return result;
  };
}

/** From all bits of the number, so that 1, 1.5 and 2 ** 32 + 1 are different seeds. */
function stateOf(seed: number): State {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, seed);
  let at = bits.getUint32(0) ^ Math.imul(bits.getUint32(4), 0x9e3779b1);
  const mixed = () => {
    at = (at + 0x9e3779b9) | 0;
    let word = Math.imul(at ^ (at >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return word ^ (word >>> 16);
  };
  return [mixed(), mixed(), mixed(), mixed() | 1];
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by));
}
