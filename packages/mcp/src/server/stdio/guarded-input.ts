import { type Readable, Transform, type Writable } from "node:stream";

export interface GuardedInputOptions {
  /** Bytes of one line at most. */
  readonly maxLineBytes: number;
  /** Where answers go: nothing more is read while so much of them waits there. */
  readonly output: Writable;
  readonly maxWaitingBytes: number;
  /** Is told of a line that was too long, which is passed over. */
  readonly onLongLine: () => void;
}

const NEWLINE = 0x0a;

/** The lines of an input without those that are too long, no faster than answers are taken. */
export function guardedInput(input: Readable, options: GuardedInputOptions): Transform {
  const { maxLineBytes, output, maxWaitingBytes, onLongLine } = options;
  let parts: Buffer[] = [];
  let length = 0;
  let isSkipping = false;
  const keep = (part: Buffer) => {
    if (isSkipping) return;
    length += part.length;
    if (length <= maxLineBytes) {
      parts.push(part);
      return;
    }
    isSkipping = true;
    parts = [];
    onLongLine();
  };
  const lines = new Transform({
    transform(chunk: Buffer, _, done) {
      let start = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
        keep(chunk.subarray(start, end + 1));
        if (!isSkipping) this.push(Buffer.concat(parts));
        parts = [];
        length = 0;
        isSkipping = false;
        start = end + 1;
      }
      if (start < chunk.length) keep(chunk.subarray(start));
      if (output.writableLength <= maxWaitingBytes) done();
      else output.once("drain", () => done());
    },
  });
  input.on("error", () => lines.end());
  return input.pipe(lines);
}
