import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { createMemoryStates } from "@skillwright/core";
import { toAiSdkTools } from "@skillwright/core/ai-sdk";
import { generateText, jsonSchema, stepCountIs } from "ai";

/**
 * `POST /` with `{ "message": "…" }` answers in the conversation of the user. The registry is shared;
 * each request opens its user's conversation and saves it.
 */
export function serveChat({ skills, model, userOf, states = createMemoryStates() }) {
  return createServer((request, response) => void respond(request, response));

  async function respond(request, response) {
    try {
      const { status = 200, ...body } = await answer(request);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  }

  async function answer(request) {
    const user = userOf(request);
    if (user === undefined) return { status: 401, error: "unknown user" };
    const { message } = await json(request);
    if (typeof message !== "string") return { status: 400, error: "send a message" };
    const stored = await states.load(user.id);
    const { messages = [], context } = stored?.state ?? {};
    const chat = skills.conversation({ include: user.skills, state: context });
    messages.push({ role: "user", content: message });
    const result = await generateText({
      model,
      system: chat.instructions(),
      messages,
      tools: toAiSdkTools(chat.tools(), jsonSchema),
      stopWhen: stepCountIs(5),
    });
    messages.push(...result.response.messages);
    const state = { messages, context: chat.save() };
    const version = await states.save(user.id, state, stored?.version);
    if (version === undefined) return { status: 409, error: "another request was faster" };
    return { text: result.text, active: chat.active.map(({ name }) => name) };
  }
}
