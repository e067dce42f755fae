import { fileURLToPath } from "node:url";
import { openSkills } from "@skillwright/core";

const skills = await openSkills({ roots: [fileURLToPath(new URL("../skills", import.meta.url))] });
const chat = skills.conversation(); // one for each conversation
const catalog = chat.instructions(); // level 1: for the system prompt of your agent
const tools = chat.tools(); // for any framework: { name, description, inputSchema, execute }[]
const [best] = await chat.search("how many words does a text have?");
const activation = await chat.activate(best?.name ?? ""); // level 2: the instructions

console.log(`catalog      ${catalog.length} characters`);
console.log(`tools        ${tools.map(({ name }) => name).join(", ")}`);
console.log(`best fit     ${best?.name}`);
console.log(`activation   ${activation.ok ? activation.digest : activation.message}`);
