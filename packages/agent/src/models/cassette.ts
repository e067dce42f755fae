import { createHash } from "node:crypto";
import * as z from "zod";
import { canonicalJson } from "../actions/read-json.ts";
import type { ModelResponse } from "./model.ts";

export type RecordedAnswer = Extract<ModelResponse, { ok: true }>;

const cassette = z.object({
  schemaVersion: z.literal(1),
  key: z.string(),
  /** Of the response: an edited recording is noticed. */
  digest: z.string(),
  response: z.object({
    ok: z.literal(true),
    message: z.object({
      text: z.string(),
      calls: z.array(z.object({ id: z.string(), name: z.string(), input: z.unknown() })),
      reasoning: z.array(z.object({ provider: z.string(), data: z.unknown() })).optional(),
    }),
    finish: z.enum(["stop", "calls", "length", "refused", "other"]),
    usage: z.object({
      inputTokens: z.number(),
      outputTokens: z.number(),
      cacheReadTokens: z.number(),
      cacheWriteTokens: z.number(),
      calls: z.number(),
      cost: z.number().optional(),
    }),
    latencyMs: z.number(),
  }),
});

/** Equal for requests that a model cannot tell apart. */
export function cassetteKey(request: object): string {
  return digestOf(request);
}

export function writeCassette(key: string, request: object, response: RecordedAnswer): string {
  const cassette = { schemaVersion: 1, key, digest: digestOf(response), request, response };
  return `${JSON.stringify(cassette, undefined, 2)}\n`;
}

function digestOf(value: object): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex");
}

/** Undefined for any other text, the cassette of another request, and an answer that was edited. */
export function readCassette(text: string, key: string): RecordedAnswer | undefined {
  try {
    const given = JSON.parse(text) as { readonly response: object };
    const { success, data } = cassette.safeParse(given);
    const isOwn = success && data.key === key && data.digest === digestOf(given.response);
    return isOwn ? (data.response as RecordedAnswer) : undefined;
  } catch {
    return undefined;
  }
}
