import { expect, it } from "vitest";
import {
  anthropic,
  recorded,
  withCost,
  withRateLimit,
  withRetry,
  withTimeout,
} from "../../../packages/agent/src/index.ts";
import { message, messageEvents } from "../../support/model-server/messages.ts";
import { modelRequest } from "../../support/model-server/model-request.ts";
import { startModelServer } from "../../support/model-server/model-server.ts";
import { eventReply, jsonReply, SOME_USAGE } from "../../support/model-server/scripted-answer.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("M-03 M-04 M-05 all decorators together get an answer out of a bad day, and count all of it", async () => {
  const server = await startModelServer();
  const half = messageEvents({ text: "hello there", usage: SOME_USAGE }).slice(0, 4).join("");
  const busy = jsonReply({ error: { type: "overloaded_error", message: "Overloaded" } }, 529);
  server.answer(
    { ...busy, headers: { "retry-after-ms": "7" } },
    { ...eventReply(half), end: "broken" },
    message({ text: "hello there", usage: SOME_USAGE }),
  );
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  const http = anthropic({
    baseUrl: `${server.url}/v1`,
    model: "claude-sonnet-4-5",
    apiKey: "sk-test",
    contextTokens: 1000,
    sampling: { maxOutputTokens: 100, temperature: 0 },
  });
  const patient = withTimeout(withRateLimit(withCost(http), { requestsPerMinute: 10 }), {
    timeoutMs: 30_000,
  });
  const folder = temporaryFolder();
  const options = { folder, redact: (text: string) => text, env: {} };
  const retried = withRetry(patient, { sleep, random: () => 0, baseDelayMs: 10 });
  expect(retried).toMatchObject({ maxOutputTokens: 100, sampling: { temperature: 0 } });
  const live = await recorded(retried, { ...options, mode: "auto" }).decide(modelRequest());
  expect(live).toMatchObject({
    ok: true,
    message: { text: "hello there" },
    // The first attempt used nothing, the second the input and the first token of the output.
    usage: { inputTokens: 38, outputTokens: 8, calls: 3 },
  });
  expect(live.usage.cost).toBeCloseTo((2 * (11 * 3 + 5 * 0.3 + 3 * 3.75) + 8 * 15) / 1e6, 12);
  expect(waits).toEqual([7, 10]);
  const replayed = await recorded(retried, { ...options, mode: "replay" }).decide(modelRequest());
  expect(replayed).toEqual(live);
  expect(server.requests).toHaveLength(3);
});
