import { Agent, request } from "node:http";
import { TOKEN } from "./serve-contender.ts";

/** A client that costs little: it sends a message, waits for the answer and parses it. */
export class BenchClient {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  #session: string | undefined;
  #id = 0;

  constructor(port: number) {
    this.#port = port;
  }

  async begin(): Promise<void> {
    await this.call("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: { extensions: { "io.modelcontextprotocol/skills": {} } },
      clientInfo: { name: "bench", version: "1" },
    });
    await this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
  }

  async call(method: string, params: object): Promise<Readonly<Record<string, unknown>>> {
    const text = await this.#send({ jsonrpc: "2.0", id: ++this.#id, method, params });
    // A stream of events has the answer in its last line of data.
    const json = text.startsWith("{") ? text : text.slice(text.lastIndexOf("data: ") + 6);
    const { result, error } = JSON.parse(json) as { result?: object; error?: object };
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result as Readonly<Record<string, unknown>>;
  }

  /** All pages. */
  async listSkills(): Promise<
    { readonly uri: string; readonly resources: readonly { uri: string }[] }[]
  > {
    const all: { uri: string; resources: { uri: string }[] }[] = [];
    let cursor: unknown;
    do {
      const page = await this.call("skills/list", cursor === undefined ? {} : { cursor });
      all.push(...(page["skills"] as typeof all));
      cursor = page["nextCursor"];
    } while (cursor !== undefined);
    return all;
  }

  async read(uri: string): Promise<void> {
    const { contents } = await this.call("resources/read", { uri });
    const [content] = contents as { text?: string }[];
    if (content?.text === undefined) throw new Error(`${uri} was not read`);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(message: object): Promise<string> {
    const body = JSON.stringify(message);
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: this.#port,
          path: "/mcp",
          method: "POST",
          agent: this.#agent,
          headers: {
            authorization: `Bearer ${TOKEN}`,
            accept: "application/json, text/event-stream",
            "content-type": "application/json",
            "content-length": Buffer.byteLength(body),
            ...(this.#session === undefined ? undefined : { "mcp-session-id": this.#session }),
          },
        },
        (response) => {
          const id = response.headers["mcp-session-id"];
          if (typeof id === "string") this.#session = id;
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => resolve(Buffer.concat(parts).toString()));
          response.on("error", reject);
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }
}
