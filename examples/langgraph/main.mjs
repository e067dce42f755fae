import { fileURLToPath } from "node:url";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import {
  Command,
  INTERRUPT,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { openSkills } from "@skillwright/core";
import { toLangChainTools } from "@skillwright/core/langchain";
import { openScripts } from "@skillwright/runtime";
import { ScriptedModel } from "./scripted-model.mjs";

const skills = await openSkills({ roots: [fileURLToPath(new URL("../skills", import.meta.url))] });
const scripts = await openScripts({
  cwd: process.cwd(),
  principal: "ada",
  approve: ({ skill, script }) => interrupt(`Run ${script?.path} of ${skill?.name}?`) === "yes",
});
if (!scripts.ok) throw new Error(`${scripts.message} ${scripts.hint ?? ""}`);
const chat = skills.conversation({ scripts });
const tools = toLangChainTools(chat.tools(), tool);
const model = new ScriptedModel({}).bindTools(tools);
const system = new SystemMessage(chat.instructions());

const graph = new StateGraph(MessagesAnnotation)
  .addNode("agent", async ({ messages }) => ({
    messages: [await model.invoke([system, ...messages])],
  }))
  .addNode("tools", new ToolNode(tools))
  .addEdge(START, "agent")
  .addConditionalEdges("agent", toolsCondition)
  .addEdge("tools", "agent")
  .compile({ checkpointer: new MemorySaver() });

const thread = { configurable: { thread_id: "1" } };
const question = new HumanMessage("How long is: the export button works again?");
const stopped = await graph.invoke({ messages: [question] }, thread);
console.log(stopped[INTERRUPT][0].value);

// With a checkpointer that is a database, this may come days later.
const answered = await graph.invoke(new Command({ resume: "yes" }), thread);
console.log(answered.messages.at(-1).content);
await scripts.close();
