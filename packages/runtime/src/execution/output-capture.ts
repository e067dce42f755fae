import { StringDecoder } from "node:string_decoder";
import { harmlessText } from "./harmless-text.ts";

export interface CapturedOutput {
  readonly text: string;
  readonly truncated: boolean;
}

/**
 * Keeps the beginning and the end of a stream within a cap, however long it is. Memory is bounded
 * by the cap; the bytes that came are copied, so that no larger buffer stays alive.
 */
export class OutputCapture {
  readonly #head: Buffer;
  readonly #tail: Buffer;
  readonly #decoder = new StringDecoder("utf8");
  #active: ((text: string) => boolean)[];
  #total = 0;
  #tailEnd = 0;

  /** A listener gets harmless text as it comes, until it gives false. */
  constructor(cap: number, listeners: readonly ((text: string) => boolean)[] = []) {
    this.#head = Buffer.alloc(Math.ceil(cap / 2));
    this.#tail = Buffer.alloc(Math.floor(cap / 2));
    this.#active = [...listeners];
  }

  write(chunk: Buffer): void {
    const intoHead = Math.min(chunk.length, Math.max(0, this.#head.length - this.#total));
    chunk.copy(this.#head, this.#total, 0, intoHead);
    this.#total += chunk.length;
    if (intoHead < chunk.length) this.#writeTail(chunk.subarray(intoHead));
    if (this.#active.length > 0) this.#tell(this.#decoder.write(chunk));
  }

  end(): CapturedOutput {
    if (this.#active.length > 0) this.#tell(this.#decoder.end());
    const head = this.#head.subarray(0, Math.min(this.#total, this.#head.length));
    const rest = this.#total - head.length;
    const tail = this.#tailInOrder(Math.min(rest, this.#tail.length));
    const left = rest - tail.length;
    if (left === 0) {
      return { text: harmlessText(Buffer.concat([head, tail]).toString("utf8")), truncated: false };
    }
    const text = `${wholeEnd(head)}\n[… ${left} bytes left out …]\n${wholeStart(tail)}`;
    return { text: harmlessText(text), truncated: true };
  }

  #writeTail(bytes: Buffer): void {
    const { length } = this.#tail;
    if (length === 0) return;
    const last = bytes.length > length ? bytes.subarray(bytes.length - length) : bytes;
    const first = Math.min(last.length, length - this.#tailEnd);
    last.copy(this.#tail, this.#tailEnd, 0, first);
    last.copy(this.#tail, 0, first);
    this.#tailEnd = (this.#tailEnd + last.length) % length;
  }

  #tailInOrder(size: number): Buffer {
    const start = this.#tailEnd - size;
    if (start >= 0) return this.#tail.subarray(start, this.#tailEnd);
    const wrapped = this.#tail.subarray(this.#tail.length + start);
    return Buffer.concat([wrapped, this.#tail.subarray(0, this.#tailEnd)]);
  }

  #tell(text: string): void {
    if (text === "") return;
    const harmless = harmlessText(text);
    this.#active = this.#active.filter((listener) => listener(harmless));
  }
}

/** Without the half of a character that the cut left at the end. */
function wholeEnd(bytes: Buffer): string {
  return new StringDecoder("utf8").write(bytes);
}

function wholeStart(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.toString("utf8", start);
}
