import { createHash } from "node:crypto";
import * as z from "zod";
import { canonicalJson } from "../actions/read-json.ts";
import type { ModelResponse } from "./model.ts";

export type RecordedAnswer = Extract<ModelResponse, { ok: true }>;

const cassette = z.object({
  schemaVersion: z.literal(1),
  key: z.string(),
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
  return createHash("sha256").update(canonicalJson(request)).digest("hex");
}

/** Undefined for any other text, and for the cassette of another request. */
export function readCassette(text: string, key: string): RecordedAnswer | undefined {
  try {
    const { success, data } = cassette.safeParse(JSON.parse(text));
    return success && data.key === key ? (data.response as RecordedAnswer) : undefined;
  } catch {
    return undefined;
  }
}
