import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../../../packages/agent/src/index.ts";
import { modelRequest } from "../../support/model-server/model-request.ts";
import { type Reply, startModelServer } from "../../support/model-server/model-server.ts";
import { jsonReply, type ScriptedAnswer } from "../../support/model-server/scripted-answer.ts";
import { compare, dialects } from "./differential.ts";

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).map((one) => `x${one}y`);
const input = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(text, fc.integer()), {
  maxKeys: 3,
});
const tokens = fc.integer({ min: 0, max: 100_000 });

const answers: fc.Arbitrary<ScriptedAnswer> = fc
  .record({
    thought: fc.option(text, { nil: undefined }),
    text: fc.option(text, { nil: undefined }),
    calls: fc.array(fc.record({ name: fc.constantFrom("search", "final_answer"), input }), {
      maxLength: 3,
    }),
    usage: fc.record({ fresh: tokens, cacheRead: tokens, cacheWrite: tokens, output: tokens }),
  })
  .map(({ calls, thought, text, usage }) => ({
    usage,
    calls: calls.map((call, index) => ({ ...call, id: `call_${index}` })),
    ...(thought !== undefined && { thought }),
    ...(text !== undefined && { text }),
  }));

const IMAGE = { mediaType: "image/png", data: "iVBORw0KGgo=" } as const;

/** Conversations as the loop has them: calls side by side, what came of each, and so on. */
const conversations: fc.Arbitrary<readonly ModelMessage[]> = fc
  .tuple(
    text,
    fc.boolean(),
    fc.array(
      fc.record({
        said: fc.option(text, { nil: "" }),
        calls: fc.array(fc.record({ input, observed: text, isError: fc.boolean() }), {
          minLength: 1,
          maxLength: 3,
        }),
      }),
      { maxLength: 4 },
    ),
  )
  .map(([request, hasImage, steps]) => [
    { role: "user", content: request, ...(hasImage && { images: [IMAGE] }) },
    ...steps.flatMap(({ said, calls }, step): ModelMessage[] => [
      {
        role: "assistant",
        content: said,
        calls: calls.map((call, index) => ({
          id: `call_${step}_${index}`,
          name: "search",
          input: call.input,
        })),
      },
      ...calls.map(({ observed, isError }, index) => ({
        role: "observation" as const,
        content: observed,
        callId: `call_${step}_${index}`,
        isError,
      })),
    ]),
  ]);

const cases = dialects.flatMap((dialect) =>
  dialect.protocols.flatMap((protocol) =>
    [true, false].map((stream) => ({ name: dialect.name, dialect, protocol, stream })),
  ),
);

describe.each(cases)("$name, $protocol, stream: $stream", ({ dialect, protocol, stream }) => {
  it("M-03 A-11 A-12 asks the same and understands the same as the adapter of the AI SDK", async () => {
    const server = await startModelServer();
    await fc.assert(
      fc.asyncProperty(
        conversations,
        answers,
        fc.integer({ min: 7, max: 400 }),
        async (messages, answer, size) => {
          server.answer(dialect.answer(answer, size));
          const request = modelRequest(messages);
          const compared = await compare(server, dialect, { request, stream, protocol });
          const [ours, theirs] = compared.responses;
          expect(ours).toMatchObject({ ok: true });
          expect(ours).toEqual(theirs);
          expect(compared.meanings[0]).toEqual(compared.meanings[1]);
          expect(compared.headers[0]).toEqual(compared.headers[1]);
        },
      ),
      { numRuns: 25 },
    );
  });

  const error = { type: "error", error: { type: "x", message: "prompt is too long" } };
  const faults: [string, Reply][] = [
    ["429 with seconds", { ...jsonReply(error, 429), headers: { "retry-after": "3" } }],
    ["429 with milliseconds", { ...jsonReply(error, 429), headers: { "retry-after-ms": "30" } }],
    ["400", jsonReply({ type: "error", error: { type: "x", message: "wrong" } }, 400)],
    ["400 too long", jsonReply(error, 400)],
    ["401", jsonReply(error, 401)],
    ["500", jsonReply({ type: "error", error: { type: "x", message: "broken" } }, 500)],
    ["529", jsonReply(error, 529)],
    ["a page with status 502", { status: 502, chunks: ["<html>Bad gateway"] }],
  ];
  it.each(faults)("M-03 a fault is the same to both: %s", async (_, reply) => {
    const server = await startModelServer();
    server.answer(reply);
    const request = modelRequest();
    const { responses } = await compare(server, dialect, { request, stream, protocol });
    expect(responses[0]).toMatchObject({ ok: false });
    expect(responses[0]).toEqual(responses[1]);
  });
});
