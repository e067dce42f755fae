const EMPTY = -1;

/** Numbers 32-bit hashes in the order of their arrival. */
export class HashTable {
  size = 0;
  /** By number; longer than `size`. */
  hashes: Uint32Array;
  #slots: Int32Array;
  #shift: number;

  /** Has room for half as many as `2 ** bits` before it grows. */
  constructor(bits: number) {
    this.#slots = new Int32Array(2 ** bits).fill(EMPTY);
    this.hashes = new Uint32Array(2 ** (bits - 1));
    this.#shift = 32 - bits;
  }

  numberOf(hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = Math.imul(hash, 0x9e3779b1) >>> this.#shift;
    for (;;) {
      const found = slots[slot] ?? EMPTY;
      if (found === EMPTY) return this.#insert(hash, slot);
      if (this.hashes[found] === hash) return found;
      slot = (slot + 1) & mask;
    }
  }

  clear(): void {
    this.#slots.fill(EMPTY);
    this.size = 0;
  }

  #insert(hash: number, slot: number): number {
    if (this.size === this.hashes.length) {
      this.#grow();
      return this.numberOf(hash);
    }
    this.#slots[slot] = this.size;
    this.hashes[this.size] = hash;
    return this.size++;
  }

  #grow(): void {
    const old = this.hashes;
    this.#shift--;
    this.#slots = new Int32Array(this.#slots.length * 2).fill(EMPTY);
    this.hashes = new Uint32Array(old.length * 2);
    this.size = 0;
    for (const hash of old) this.numberOf(hash);
  }
}
