import { fileURLToPath } from "node:url";
import { openSkills } from "@skillwright/core";
import { toAiSdkTools } from "@skillwright/core/ai-sdk";
import { openScripts } from "@skillwright/runtime";
import { generateText, jsonSchema, stepCountIs } from "ai";
import { scriptedModel } from "./scripted-model.mjs";

const skills = await openSkills({ roots: [fileURLToPath(new URL("../skills", import.meta.url))] });
const scripts = await openScripts({ cwd: process.cwd(), principal: "ada" });
if (!scripts.ok) throw new Error(`${scripts.message} ${scripts.hint ?? ""}`);
const chat = skills.conversation({ scripts });
const tools = toAiSdkTools(chat.tools(), jsonSchema, { approvals: scripts });
const messages = [{ role: "user", content: "How long is: the export button works again?" }];
const ask = () =>
  generateText({
    model: scriptedModel(),
    system: chat.instructions(),
    tools,
    messages,
    stopWhen: stepCountIs(5),
  });

const first = await ask();
const asked = first.content.filter(({ type }) => type === "tool-approval-request");
console.log("approve?", ...asked.map(({ toolCall }) => toolCall.input.script_file));
const yes = ({ approvalId }) => ({ type: "tool-approval-response", approvalId, approved: true });
messages.push(...first.response.messages, { role: "tool", content: asked.map(yes) });
console.log((await ask()).text);
await scripts.close();
