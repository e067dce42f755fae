import { simulateReadableStream } from "ai";
import { MockLanguageModelV3 } from "ai/test";

/** Loads the skill, then streams the first step that it was told, word by word; needs no network. */
export function scriptedModel() {
  return new MockLanguageModelV3({
    doStream: async ({ prompt }) => {
      const step = /1\. (.+?)\\n/.exec(JSON.stringify(prompt))?.[1];
      const chunks =
        step === undefined
          ? [
              {
                type: "tool-call",
                toolCallId: "call-1",
                toolName: "select_skills",
                input: '{"skills":["release-notes"]}',
              },
            ]
          : [
              { type: "text-start", id: "1" },
              ...`As the skill says: ${step}`
                .split(/(?<= )/)
                .map((delta) => ({ type: "text-delta", id: "1", delta })),
              { type: "text-end", id: "1" },
            ];
      const finish = {
        type: "finish",
        finishReason: { unified: step === undefined ? "tool-calls" : "stop", raw: undefined },
        usage: {
          inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 0, text: 0, reasoning: 0 },
        },
      };
      return { stream: simulateReadableStream({ chunks: [...chunks, finish] }) };
    },
  });
}
