import { fileURLToPath } from "node:url";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { openSkills } from "@skillwright/core";
import { toLangChainTools } from "@skillwright/core/langchain";
import { ScriptedModel } from "./scripted-model.mjs";

const MAX_STEPS = 5;

const skills = await openSkills({ roots: [fileURLToPath(new URL("../skills", import.meta.url))] });
const chat = skills.conversation();

const tools = toLangChainTools(chat.tools(), tool);
const model = new ScriptedModel({}).bindTools(tools);
const messages = [
  new SystemMessage(chat.instructions()),
  new HumanMessage("Write release notes: the export button works again."),
];

for (let step = 0; step < MAX_STEPS; step++) {
  const answer = await model.invoke(messages);
  messages.push(answer);
  if (answer.tool_calls.length === 0) break;
  for (const call of answer.tool_calls) {
    console.log(call.name, JSON.stringify(call.args));
    const called = tools.find(({ name }) => name === call.name);
    messages.push(await called.invoke(call));
  }
}
console.log(messages.at(-1).content);
