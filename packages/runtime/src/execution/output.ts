import { StringDecoder } from "node:string_decoder";
import type { ExecutionReceipt } from "./executor.ts";

/** Colours carry nothing that a model or a record needs. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const COLORS = /\u001b\[[0-9;:]*m/g;
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const PICTURES = 0x2400;

/** Text that a terminal shows and does not obey: controls become visible signs. */
export function harmlessText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(COLORS, "").replace(CONTROLS, pictureOf);
}

function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(PICTURES + code);
  return code === 0x7f ? "\u2421" : "\uFFFD";
}

export interface CapturedOutput {
  readonly text: string;
  readonly truncated: boolean;
}

/**
 * Keeps the beginning and the end of a stream within a cap, however long it is. Memory is bounded
 * by the cap: bytes are copied, which keeps no larger buffer alive.
 */
export class OutputCapture {
  readonly #head: Buffer;
  /** A ring. */
  readonly #tail: Buffer;
  readonly #decoder = new StringDecoder("utf8");
  readonly #onText: ((text: string) => void) | undefined;
  #total = 0;
  #tailEnd = 0;

  /** `onText` gets harmless text as it comes. */
  constructor(cap: number, onText?: (text: string) => void) {
    this.#head = Buffer.alloc(Math.ceil(cap / 2));
    this.#tail = Buffer.alloc(Math.floor(cap / 2));
    this.#onText = onText;
  }

  write(chunk: Buffer): void {
    const intoHead = Math.min(chunk.length, Math.max(0, this.#head.length - this.#total));
    chunk.copy(this.#head, this.#total, 0, intoHead);
    this.#total += chunk.length;
    const { length } = this.#tail;
    if (intoHead < chunk.length && length > 0) {
      const last = chunk.subarray(Math.max(intoHead, chunk.length - length));
      const first = last.copy(this.#tail, this.#tailEnd);
      last.copy(this.#tail, 0, first);
      this.#tailEnd = (this.#tailEnd + last.length) % length;
    }
    if (this.#onText !== undefined) this.#pass(this.#decoder.write(chunk));
  }

  end(): CapturedOutput {
    if (this.#onText !== undefined) this.#pass(this.#decoder.end());
    const head = this.#head.subarray(0, Math.min(this.#total, this.#head.length));
    const rest = this.#total - head.length;
    const left = Math.max(0, rest - this.#tail.length);
    const start = left > 0 ? this.#tailEnd : 0;
    const ring = Buffer.concat([this.#tail.subarray(start), this.#tail.subarray(0, start)]);
    const tail = ring.subarray(0, rest - left);
    const text =
      left === 0
        ? Buffer.concat([head, tail]).toString("utf8")
        : `${wholeEnd(head)}\n[… ${left} bytes left out …]\n${wholeStart(tail)}`;
    return { text: harmlessText(text), truncated: left > 0 };
  }

  #pass(text: string): void {
    if (text !== "") this.#onText?.(harmlessText(text));
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

/**
 * What a model gets to read: the output of a success, otherwise what went wrong, with the exit code, and
 * both outputs, since programs use either for anything. Each is as long as it was kept in the receipt.
 */
export function receiptText(receipt: ExecutionReceipt): string {
  const { ok, failure, exitCode, stderr, stdout } = receipt;
  if (ok) return stdout;
  const message = failure?.message ?? "it failed";
  const code = `exit code ${exitCode}`;
  const isSaid = exitCode === null || message.endsWith(code);
  return [
    isSaid ? message : `${message} (${code})`,
    failure?.hint ?? "",
    stderr.trim() === "" ? "" : `stderr:\n${stderr.trimEnd()}`,
    stdout.trim() === "" ? "" : `stdout:\n${stdout.trimEnd()}`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}
