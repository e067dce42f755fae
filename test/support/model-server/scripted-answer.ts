import type { Reply } from "./model-server.ts";

/** What a model answers, whichever dialect it is told in. */
export interface ScriptedAnswer {
  /** A thought, which the service signs where it has signatures. */
  readonly thought?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** In the words of the dialect. */
  readonly finish?: string;
  readonly usage?: ScriptedUsage;
}

interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ScriptedUsage {
  /** Without what comes from the cache or goes there. */
  readonly fresh: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

export const SOME_USAGE: ScriptedUsage = { fresh: 11, cacheRead: 5, cacheWrite: 3, output: 7 };

export function jsonReply(value: unknown, status = 200): Reply {
  return {
    status,
    headers: { "content-type": "application/json" },
    chunks: [JSON.stringify(value)],
  };
}

/** Events, each cut into packets of `size` bytes, in the middle of characters too. */
export function eventReply(lines: string, size = Number.POSITIVE_INFINITY): Reply {
  return { headers: { "content-type": "text/event-stream" }, chunks: cut(lines, size) };
}

function cut(text: string, size: number): Uint8Array[] {
  const bytes = Buffer.from(text);
  if (!Number.isFinite(size)) return [bytes];
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );
}

/** Text as a model gives it: a few characters at a time. */
export function pieces(text: string, length = 4): string[] {
  const characters = [...text];
  const count = Math.ceil(characters.length / length);
  return Array.from({ length: count }, (_, index) =>
    characters.slice(index * length, (index + 1) * length).join(""),
  );
}
