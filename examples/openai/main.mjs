import { fileURLToPath } from "node:url";
import { openSkills } from "@skillwright/core";
import { runOpenAiChatCall, toOpenAiChatTools } from "@skillwright/core/openai";
import { OpenAI } from "openai";

const MAX_STEPS = 5;
const { OPENAI_MODEL: model } = process.env;
if (model === undefined) throw new Error("set OPENAI_MODEL to the name of a model");

const skills = await openSkills({ roots: [fileURLToPath(new URL("../skills", import.meta.url))] });
const chat = skills.conversation();

const tools = chat.tools();
const messages = [
  { role: "system", content: chat.instructions() },
  { role: "user", content: "Write release notes: the export button works again." },
];

const client = new OpenAI();
for (let step = 0; step < MAX_STEPS; step++) {
  const { choices } = await client.chat.completions.create({
    model,
    messages,
    tools: toOpenAiChatTools(tools),
  });
  const { message } = choices[0];
  messages.push(message);
  if ((message.tool_calls ?? []).length === 0) break;
  for (const call of message.tool_calls) {
    console.log(call.function.name, call.function.arguments);
    messages.push(await runOpenAiChatCall(tools, call));
  }
}
console.log(messages.at(-1).content);
