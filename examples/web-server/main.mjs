import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { openSkills } from "@skillwright/core";
import { scriptedModel } from "./scripted-model.mjs";
import { serveChat } from "./server.mjs";

const skills = await openSkills({ roots: [fileURLToPath(new URL("../skills", import.meta.url))] });
const users = new Map([
  ["key-of-ada", { id: "ada" }],
  ["key-of-eve", { id: "eve" }],
  ["key-of-joe", { id: "joe", skills: ["word-count"] }],
]);
const userOf = ({ headers }) => users.get(headers.authorization?.replace(/^Bearer /, ""));
const server = serveChat({ skills, model: scriptedModel(), userOf });
server.listen(0, "127.0.0.1");
await once(server, "listening");

async function post(key) {
  const response = await fetch(`http://127.0.0.1:${server.address().port}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ message: "Write release notes: the export button works again." }),
  });
  return `${response.status} ${await response.text()}`;
}

const both = await Promise.all([post("key-of-ada"), post("key-of-eve")]);
console.log(both.join("\n"));
for (const key of ["key-of-ada", "key-of-joe", "none"]) console.log(await post(key));
server.close();
