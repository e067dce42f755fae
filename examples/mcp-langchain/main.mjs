import { fileURLToPath } from "node:url";
import { HumanMessage } from "@langchain/core/messages";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { ScriptedModel } from "./scripted-model.mjs";

const MAX_STEPS = 5;

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

// With an installed command line: { command: "skillwright", args: ["mcp", …] }.
const client = new MultiServerMCPClient({
  mcpServers: {
    skills: {
      transport: "stdio",
      command: process.execPath,
      args: [path("../../packages/cli/bin/skillwright.cjs"), "mcp", "--root", path("../skills")],
    },
  },
});

try {
  const tools = await client.getTools();
  const model = new ScriptedModel({}).bindTools(tools);
  const messages = [new HumanMessage("Write release notes: the export button works again.")];
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
} finally {
  await client.close();
}
