import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { openSkills } from "@skillwright/core";
import { runOpenAiChatCall, toOpenAiChatTools } from "@skillwright/core/openai";
import { openScripts } from "@skillwright/runtime";
import { OpenAI } from "openai";

const MAX_STEPS = 5;
const { OPENAI_MODEL: model } = process.env;
if (model === undefined) throw new Error("set OPENAI_MODEL to the name of a model");

const skills = await openSkills({ roots: [fileURLToPath(new URL("../skills", import.meta.url))] });
const scripts = await openScripts({ cwd: process.cwd(), principal: "ada", approve: askInTerminal });
if (!scripts.ok) throw new Error(`${scripts.message} ${scripts.hint ?? ""}`);
const chat = skills.conversation({ scripts });

const client = new OpenAI();
const messages = [
  { role: "system", content: chat.instructions() },
  { role: "user", content: "How long is: the export button works again?" },
];
for (let step = 0; step < MAX_STEPS; step++) {
  const tools = chat.tools();
  const { choices } = await client.chat.completions.create({
    model,
    messages,
    tools: toOpenAiChatTools(tools),
  });
  const { message } = choices[0];
  messages.push(message);
  if ((message.tool_calls ?? []).length === 0) break;
  for (const call of message.tool_calls) messages.push(await runOpenAiChatCall(tools, call));
}
console.log(messages.at(-1).content);
await scripts.close();

/** Policy asks about scripts, and about what they changed. */
async function askInTerminal({ tool, input }) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`Allow ${tool} ${JSON.stringify(input)}? [y/N] `);
  terminal.close();
  return answer.trim() === "y";
}
