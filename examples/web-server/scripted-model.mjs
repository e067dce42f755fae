import { MockLanguageModelV3 } from "ai/test";

/** Loads the skill, then answers with the first step that the conversation holds; needs no network. */
export function scriptedModel() {
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const step = /1\. (.+?)\\n/.exec(JSON.stringify(prompt))?.[1];
      const content =
        prompt.at(-1)?.role === "tool"
          ? { type: "text", text: step ? `As the skill says: ${step}` : "I have no such skill." }
          : {
              type: "tool-call",
              toolCallId: `call-${prompt.length}`,
              toolName: "load_skill",
              input: '{"skill_name":"release-notes"}',
            };
      return {
        content: [content],
        finishReason: { unified: content.type === "text" ? "stop" : "tool-calls", raw: undefined },
        usage: {
          inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 0, text: 0, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}
