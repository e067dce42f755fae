import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { Anthropic } from "@anthropic-ai/sdk";
import { openSkills } from "@skillwright/core";
import { runAnthropicToolUse, toAnthropicTools } from "@skillwright/core/anthropic";
import { openScripts } from "@skillwright/runtime";

const MAX_STEPS = 5;
const { ANTHROPIC_MODEL: model } = process.env;
if (model === undefined) throw new Error("set ANTHROPIC_MODEL to the name of a model");

const skills = await openSkills({ roots: [fileURLToPath(new URL("../skills", import.meta.url))] });
const scripts = await openScripts({ cwd: process.cwd(), principal: "ada" });
if (!scripts.ok) throw new Error(`${scripts.message} ${scripts.hint ?? ""}`);
const chat = skills.conversation({ scripts });

const client = new Anthropic();
const messages = [{ role: "user", content: "How long is: the export button works again?" }];
for (let step = 0; step < MAX_STEPS; step++) {
  const tools = chat.tools();
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
  for (const use of uses) results.push(await run(tools, use));
  messages.push({ role: "user", content: results });
}
const texts = messages.at(-1).content.map(({ text }) => text);
console.log(texts.join("\n"));
await scripts.close();

/** Without `approve`, a call that needs an approval ends with its request; after a yes it is made again. */
async function run(tools, use) {
  let request;
  const onResult = (_, value) => {
    if (value?.code === "approval-needed") request = value.request;
  };
  const result = await runAnthropicToolUse(tools, use, { onResult });
  if (request === undefined) return result;
  if (!(await decide(request))) {
    return { ...result, content: "The user declined this call.", is_error: true };
  }
  const approved = await scripts.resume(request);
  if (!approved.ok) throw new Error(approved.message);
  return run(tools, use);
}

/** The request is plain JSON: a web host stores it, and resumes when the person has decided. */
async function decide({ tool, skill, script }) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const about = [tool, skill?.name, script?.path].filter((part) => part !== undefined).join(" ");
  const answer = await terminal.question(`Allow ${about}? [y/N] `);
  terminal.close();
  return answer.trim() === "y";
}
