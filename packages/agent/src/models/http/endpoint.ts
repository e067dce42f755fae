import type { HttpModelOptions } from "./http-model-options.ts";

/** What is known of the service that is asked, for its errors and their hints. */
export interface Endpoint {
  readonly url: string;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Must be in no message. */
  readonly secrets: readonly string[];
  /** The environment variable that holds the key. */
  readonly keyVariable?: string;
  /** What to do when nobody answers. */
  readonly unreachableHint?: string;
}

/** `own` are the headers of the dialect; those of the options cannot replace them. */
export function modelEndpoint(
  url: string,
  { apiKey, headers = {}, keyVariable, unreachableHint }: HttpModelOptions,
  own: Readonly<Record<string, string>>,
): Endpoint {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    url,
    headers: { ...(Object.fromEntries(given) as Record<string, string>), ...own },
    secrets: [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers)],
    ...(keyVariable !== undefined && { keyVariable }),
    ...(unreachableHint !== undefined && { unreachableHint }),
  };
}
