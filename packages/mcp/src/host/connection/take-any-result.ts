import type { Client } from "@modelcontextprotocol/client";
import { z } from "zod";

const ANY_RESULT = z.looseObject({});

/**
 * Lets the result of a tool through as it is: the client would refuse all of it for one part of a
 * type that it does not know. What is in it is looked at by `resultText`.
 */
export function takeAnyResult(client: Client): void {
  const request = client.request.bind(client) as (...given: unknown[]) => Promise<unknown>;
  const asked = (question: { readonly method: string }, ...rest: unknown[]) =>
    question.method === "tools/call"
      ? request(question, ANY_RESULT, rest.at(-1))
      : request(question, ...rest);
  client.request = asked;
}
