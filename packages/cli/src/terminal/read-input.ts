import type { Readable } from "node:stream";

export interface InputLimits {
  readonly maxBytes: number;
  /** Nothing at all for so long counts as no input; without it, whoever pipes may take their time. */
  readonly firstByteMs?: number;
}

export type Input =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly code: "too-large" | "silent" };

/** All that is piped in. Leaves nothing open behind it that would keep the process alive. */
export async function readInput(
  stream: Readable,
  { maxBytes, firstByteMs }: InputLimits,
): Promise<Input> {
  const chunks: Buffer[] = [];
  let length = 0;
  let isSilent = false;
  const timer =
    firstByteMs === undefined
      ? undefined
      : setTimeout(() => {
          isSilent = true;
          stream.destroy();
        }, firstByteMs);
  try {
    for await (const chunk of stream as AsyncIterable<Buffer | string>) {
      clearTimeout(timer);
      const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
      length += bytes.length;
      if (length > maxBytes) return { ok: false, code: "too-large" };
      chunks.push(bytes);
    }
  } catch (error) {
    if (!isSilent) throw error;
  } finally {
    clearTimeout(timer);
    stream.destroy();
  }
  return isSilent ? { ok: false, code: "silent" } : { ok: true, bytes: Buffer.concat(chunks) };
}
