import { fileURLToPath } from "node:url";
import { openSkills } from "@skillwright/core";
import { toAiSdkTools } from "@skillwright/core/ai-sdk";
import { generateText, jsonSchema, stepCountIs } from "ai";
import { scriptedModel } from "./scripted-model.mjs";

const skills = await openSkills({ roots: [fileURLToPath(new URL("../skills", import.meta.url))] });
const chat = skills.conversation();

const { text, steps } = await generateText({
  model: scriptedModel(),
  system: chat.instructions(),
  prompt: "Write release notes: the export button works again.",
  tools: toAiSdkTools(chat.tools(), jsonSchema),
  stopWhen: stepCountIs(5),
});

for (const { toolCalls } of steps) {
  for (const { toolName, input } of toolCalls) console.log(toolName, JSON.stringify(input));
}
console.log(text);
