import { createHash } from "node:crypto";

const SLOTS = 4096;
const LONG_BYTES = 256;

/** Counts how often each value occurs, until there are more than `most`; then it forgets them all. */
export class DistinctValues {
  #most;
  #slots = new Int16Array(SLOTS);
  #hashes = [];
  #values = [];
  #times = [];
  isMany = false;

  constructor(most) {
    this.#most = most;
  }

  get size() {
    return this.#values.length;
  }

  /** Each value as text with its count; of a long one only the beginning. */
  entries() {
    return this.#values.map(({ text }, i) => [text.toString("utf8"), this.#times[i]]);
  }

  add(bytes, start, end) {
    if (end - start > LONG_BYTES) {
      // A long value is known by its hash: a thousand of them must not fill the memory.
      const text = bytes.subarray(start, end);
      const key = createHash("sha256").update(text).digest();
      this.#count(key, 0, key.length, text.subarray(0, LONG_BYTES), true);
    } else this.#count(bytes, start, end, undefined, false);
  }

  #count(bytes, start, end, text, isLong) {
    let hash = isLong ? 1 : 0x811c9dc5;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at], 0x01000193);
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (let known = this.#slots[slot]; known !== 0; known = this.#slots[slot]) {
      if (this.#hashes[known - 1] === hash && this.#isSame(known - 1, bytes, start, end, isLong)) {
        this.#times[known - 1]++;
        return;
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (this.#values.length === this.#most) this.#forget();
    else this.#keep(slot, hash, Buffer.from(bytes.subarray(start, end)), text);
  }

  #isSame(index, bytes, start, end, isLong) {
    const value = this.#values[index];
    const { key } = value;
    if (value.isLong !== isLong || key.length !== end - start) return false;
    for (let at = 0; at < key.length; at++) if (key[at] !== bytes[start + at]) return false;
    return true;
  }

  #keep(slot, hash, key, text) {
    const isLong = text !== undefined;
    this.#values.push({ key, text: isLong ? Buffer.from(text) : key, isLong });
    this.#hashes.push(hash);
    this.#times.push(1);
    this.#slots[slot] = this.#values.length;
  }

  #forget() {
    this.isMany = true;
    this.#values = [];
    this.#hashes = [];
    this.#times = [];
  }
}
