import type { ServerResponse } from "node:http";
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/server";

const STREAM = { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" };
const KEEP_ALIVE = 15_000;

/** One HTTP response: JSON with the answers, or events if there is something to say before them. */
export class HttpExchange {
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #open: Set<RequestId>;
  readonly #answers: JSONRPCMessage[] = [];
  readonly #isBatch: boolean;
  #keepAlive: NodeJS.Timeout | undefined;

  constructor(
    response: ServerResponse,
    headers: Readonly<Record<string, string>>,
    open: Set<RequestId>,
  ) {
    this.#response = response;
    this.#headers = headers;
    this.#open = open;
    this.#isBatch = open.size > 1;
  }

  get waitingBytes(): number {
    return this.#response.writableLength;
  }

  /** From now on it is a stream. */
  stream(): void {
    if (this.#response.headersSent || this.#response.destroyed) return;
    this.#response.writeHead(200, { ...STREAM, ...this.#headers });
    this.#response.flushHeaders();
    this.#keepAlive = setInterval(() => this.#write(": still here\n\n"), KEEP_ALIVE);
    this.#keepAlive.unref();
    this.#response.once("close", () => clearInterval(this.#keepAlive));
  }

  /** Whether there is still somebody to hear it. */
  event(message: JSONRPCMessage): boolean {
    this.stream();
    return this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  }

  /** The answer to one of the requests, or that there will be none. */
  answer(id: RequestId, message?: JSONRPCMessage): void {
    if (!this.#open.delete(id)) return;
    if (message !== undefined) this.#answers.push(message);
    if (this.#open.size > 0) return;
    if (this.#response.headersSent) {
      for (const one of this.#answers) this.event(one);
      this.end();
      return;
    }
    this.#end();
  }

  /** Nothing more will come. */
  end(): void {
    if (this.#response.headersSent) this.#response.end();
    else this.#end();
  }

  #end(): void {
    const [first] = this.#answers;
    if (first === undefined) {
      this.#response.writeHead(202, this.#headers).end();
      return;
    }
    const body = JSON.stringify(this.#isBatch ? this.#answers : first);
    this.#response
      .writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        ...this.#headers,
      })
      .end(body);
  }

  #write(text: string): boolean {
    if (this.#response.destroyed || this.#response.writableEnded) return false;
    this.#response.write(text);
    return true;
  }
}
