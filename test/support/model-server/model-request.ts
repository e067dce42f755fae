import type { ModelMessage, ModelRequest } from "../../../packages/agent/src/index.ts";
import type { ActionDefinition } from "../../../packages/agent/src/internal/index.ts";

const SEARCH: ActionDefinition = {
  name: "search",
  description: "Looks for a thing.",
  inputSchema: {
    type: "object",
    properties: { query: { type: "string" } },
    required: ["query"],
    additionalProperties: false,
  },
};

const FINAL_ANSWER: ActionDefinition = {
  name: "final_answer",
  description: "Answers the person.",
  inputSchema: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
};

/** A request as the loop makes it, with two actions. */
export function modelRequest(
  messages: readonly ModelMessage[] = [{ role: "user", content: "Find the 数据 file." }],
  overrides: Partial<ModelRequest> = {},
): ModelRequest {
  return {
    system: "You find things.",
    messages,
    actions: [SEARCH, FINAL_ANSWER],
    maxOutputTokens: 500,
    view: {
      request: "never sent: view",
      skills: [],
      omittedSkills: 0,
      active: [],
      steps: [],
      tools: [],
      mustAnswer: false,
    },
    ...overrides,
  };
}
