import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { fromAiSdk } from "@skillwright/agent";
import { openSkills } from "@skillwright/core";
import { scriptedModel } from "./scripted-model.mjs";
import { serveRuns } from "./server.mjs";

const skills = await openSkills({ roots: [fileURLToPath(new URL("../skills", import.meta.url))] });
const model = fromAiSdk(scriptedModel(), { contextTokens: 100_000 });
const server = serveRuns({ skills, model });
server.listen(0, "127.0.0.1");
await once(server, "listening");

const response = await fetch(`http://127.0.0.1:${server.address().port}`, {
  method: "POST",
  body: "Write release notes: the export button works again.",
});
for await (const { event, data } of eventsOf(response.body)) {
  console.log(event, JSON.stringify(data));
}
server.close();

/** What an `EventSource` of a browser does, for a POST. */
async function* eventsOf(body) {
  let rest = "";
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block);
      yield { event, data: JSON.parse(data) };
    }
  }
}
