import { type Readable, Transform } from "node:stream";

export interface GuardedInputOptions {
  /** Bytes of one line at most. */
  readonly maxLineBytes: number;
  /** Is told of a line that was too long, which is passed over. */
  readonly onLongLine: () => void;
}

const NEWLINE = 0x0a;

/** The lines of an input without those that are too long. */
export function guardedInput(input: Readable, options: GuardedInputOptions): Transform {
  const { maxLineBytes, onLongLine } = options;
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
      done();
    },
  });
  input.on("error", () => lines.end());
  return input.pipe(lines);
}
