import { fileURLToPath } from "node:url";
import { skillsPlugin } from "@skillwright/core";
import { toAiSdkTools } from "@skillwright/core/ai-sdk";
import { generateText, jsonSchema, stepCountIs } from "ai";
import { scriptedModel } from "./scripted-model.mjs";

const roots = [fileURLToPath(new URL("../skills", import.meta.url))];
const plugin = skillsPlugin({ settings: { roots } });
const agent = { id: "writer" };

const { text, steps } = await generateText({
  model: scriptedModel(),
  system: await plugin.instructions(agent),
  prompt: "Write release notes: the export button works again.",
  tools: toAiSdkTools(await plugin.tools(agent), jsonSchema),
  stopWhen: stepCountIs(5),
});

for (const { toolCalls } of steps) {
  for (const { toolName, input } of toolCalls) console.log(toolName, JSON.stringify(input));
}
console.log(text);
