import type { ModelError } from "../model.ts";
import type { BaseUrlOptions } from "./base-url.ts";

/** What the models over HTTP have in common. */
export interface HttpModelOptions extends BaseUrlOptions {
  readonly model: string;
  readonly apiKey?: string;
  /** How many tokens a request and its answer may have together. */
  readonly contextTokens: number;
  /** At most this much is asked for, whatever a request allows. */
  readonly maxOutputTokens?: number;
  readonly fetch?: typeof globalThis.fetch;
  /** More headers. Their values are treated as secrets. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default true. Without, the answer comes in one piece, and long ones may time out. */
  readonly stream?: boolean;
  /** Milliseconds; default `Date.now`. */
  readonly clock?: () => number;
  readonly maxAnswerBytes?: number;
  /** The first part of the model's id. */
  readonly provider?: string;
  /** Named in hints. */
  readonly keyVariable?: string;
  readonly unreachableHint?: string;
}

/** A key with a line break or a space in it cannot be sent, and what is thrown then would show it. */
export function keyProblem({
  apiKey,
  headers,
  keyVariable,
}: HttpModelOptions): ModelError | undefined {
  const values = [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers ?? {})];
  const isKeyBad = apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey);
  if (!isKeyBad && values.every((value) => /^[\t\x20-\x7e]*$/.test(value))) return undefined;
  return {
    code: "unauthorized",
    message: isKeyBad
      ? "the API key has characters that no key has"
      : "a header has characters that cannot be sent",
    retryable: false,
    hint: `Check ${keyVariable ?? "where it comes from"} for spaces, quotes and line breaks.`,
  };
}
