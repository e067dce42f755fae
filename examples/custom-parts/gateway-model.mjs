/**
 * A model behind a gateway of the host's own. In earnest, `decide` sends `system`, `messages` and
 * `actions` to it; this one loads a skill, runs its script and answers with the output.
 */
export function gatewayModel() {
  return {
    id: "gateway:scripted",
    protocol: "tools",
    contextTokens: 100_000,
    async decide({ messages }, { onText } = {}) {
      const turn = messages.filter(({ role }) => role === "assistant").length;
      const steps = [
        () => ({ name: "select_skills", input: { skills: ["word-count"] } }),
        () => ({
          name: "run_script",
          input: { skill: "word-count", script: "count.mjs", args: ["the export button works"] },
        }),
        () => `It has ${/\d+/.exec(messages.at(-1).content)?.[0]} words.`,
      ];
      const answer = steps[turn]();
      const text = typeof answer === "string" ? answer : "";
      const calls = typeof answer === "string" ? [] : [{ id: `call-${turn}`, ...answer }];
      onText?.(text);
      return {
        ok: true,
        message: { text, calls },
        finish: calls.length > 0 ? "calls" : "stop",
        usage: {
          inputTokens: 0,
          outputTokens: 0,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          calls: 1,
        },
        latencyMs: 0,
      };
    },
  };
}
