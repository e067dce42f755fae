import { MockLanguageModelV3 } from "ai/test";

/** Runs the script of the skill, then answers with what it printed; needs no network. */
export function scriptedModel() {
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const last = prompt.at(-1);
      const output = last.role === "tool" ? last.content[0]?.output?.value : undefined;
      const content =
        output === undefined
          ? {
              type: "tool-call",
              toolCallId: "call-1",
              toolName: "run_skill_script",
              input: JSON.stringify({
                skill_name: "word-count",
                script_file: "count.mjs",
                args: ["the export button works again"],
              }),
            }
          : { type: "text", text: `It has ${output.trim()} words.` };
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
