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
    if (intoHead < chunk.length) this.#writeTail(chunk.subarray(intoHead));
    if (this.#onText !== undefined) this.#pass(this.#decoder.write(chunk));
  }

  end(): CapturedOutput {
    if (this.#onText !== undefined) this.#pass(this.#decoder.end());
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
  if (receipt.ok) return receipt.stdout;
  const { failure, stderr, stdout } = receipt;
  const parts = [withExitCode(failure?.message ?? "it failed", receipt)];
  if (failure?.hint !== undefined) parts.push(failure.hint);
  if (stderr.trim() !== "") parts.push(`stderr:\n${stderr.trimEnd()}`);
  if (stdout.trim() !== "") parts.push(`stdout:\n${stdout.trimEnd()}`);
  return parts.join("\n");
}

/** The caller marks it as an error. */
function withExitCode(message: string, { exitCode }: ExecutionReceipt): string {
  const code = `exit code ${exitCode}`;
  return exitCode === null || message.endsWith(code) ? message : `${message} (${code})`;
}
