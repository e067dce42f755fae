import { fileURLToPath } from "node:url";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as StdioTransport } from "@ai-sdk/mcp/mcp-stdio";
import { generateText, stepCountIs } from "ai";
import { scriptedModel } from "./scripted-model.mjs";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

// With an installed command line: { command: "skillwright", args: ["mcp", …] }.
const client = await createMCPClient({
  transport: new StdioTransport({
    command: process.execPath,
    args: [path("../../packages/cli/bin/skillwright.cjs"), "mcp", "--root", path("../skills")],
  }),
});

try {
  const { text, steps } = await generateText({
    model: scriptedModel(),
    prompt: "Write release notes: the export button works again.",
    tools: await client.tools(),
    stopWhen: stepCountIs(5),
  });
  for (const { toolCalls } of steps) {
    for (const { toolName, input } of toolCalls) console.log(toolName, JSON.stringify(input));
  }
  console.log(text);
} finally {
  await client.close();
}
