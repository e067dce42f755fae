import { fileURLToPath } from "node:url";
import { Anthropic } from "@anthropic-ai/sdk";
import { openSkills } from "@skillwright/core";
import { runAnthropicToolUse, toAnthropicTools } from "@skillwright/core/anthropic";

const MAX_STEPS = 5;
const { ANTHROPIC_MODEL: model } = process.env;
if (model === undefined) throw new Error("set ANTHROPIC_MODEL to the name of a model");

const skills = await openSkills({ roots: [fileURLToPath(new URL("../skills", import.meta.url))] });
const chat = skills.conversation();

const tools = chat.tools();
const messages = [{ role: "user", content: "Write release notes: the export button works again." }];

const client = new Anthropic();
for (let step = 0; step < MAX_STEPS; step++) {
  const { content } = await client.messages.create({
    model,
    max_tokens: 1024,
    system: chat.instructions(),
    messages,
    tools: toAnthropicTools(tools),
  });
  messages.push({ role: "assistant", content });
  const uses = content.filter(({ type }) => type === "tool_use");
  if (uses.length === 0) break;
  const results = [];
  for (const use of uses) {
    console.log(use.name, JSON.stringify(use.input));
    results.push(await runAnthropicToolUse(tools, use));
  }
  messages.push({ role: "user", content: results });
}
console.log(
  messages
    .at(-1)
    .content.map(({ text }) => text)
    .join("\n"),
);
