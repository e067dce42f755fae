import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { runAgent } from "@skillwright/agent";

/** `POST /` with a request as text answers with the events of its run, as server-sent events. */
export function serveRuns({ skills, model }) {
  return createServer((request, response) => void respond(request, response));

  async function respond(request, response) {
    const stop = new AbortController();
    response.on("close", () => stop.abort());
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    const send = (event, data) => {
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    };
    try {
      const result = await runAgent({
        request: await text(request),
        skills,
        model,
        signal: stop.signal,
        onEvent: ({ event, data }) => {
          if (event === "text-delta") send("text", data.text);
          if (event === "skill-activate") send("skill", data.name);
        },
      });
      send("end", { status: result.status, answer: result.answer });
    } catch (error) {
      console.error(error);
      send("end", { status: "failed" });
    }
    response.end();
  }
}
