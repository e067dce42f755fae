/** The last part of what a program says, however much that is. */
export class TailLog {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(chunk: Buffer): void {
    // A copy: a part of a large buffer would keep all of it.
    this.#chunks.push(Buffer.from(chunk.subarray(Math.max(0, chunk.length - this.#maxBytes))));
    this.#size += this.#chunks.at(-1)?.length ?? 0;
    if (this.#size > 2 * this.#maxBytes || this.#chunks.length > 1000) {
      this.#chunks = [this.#tail()];
      this.#size = this.#chunks[0]?.length ?? 0;
    }
  }

  text(): string {
    return this.#tail().toString("utf8");
  }

  #tail(): Buffer {
    const all = Buffer.concat(this.#chunks);
    return all.subarray(Math.max(0, all.length - this.#maxBytes));
  }
}
