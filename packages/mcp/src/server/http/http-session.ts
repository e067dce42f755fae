import type { IncomingMessage, ServerResponse } from "node:http";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";
import { canceledRequest } from "../canceled-request.ts";
import { HttpExchange } from "./http-exchange.ts";
import { refuse } from "./http-answer.ts";
import type { HttpLimits } from "./http-limits.ts";

/**
 * One session of the protocol with sessions (2025-11-25 and before). An answer is plain JSON, unless
 * something has to be said before it: then it becomes a stream of events.
 */
export class HttpSession implements Transport {
  readonly sessionId: string;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  lastUsed = Date.now();
  readonly #limits: HttpLimits;
  readonly #exchanges = new Map<RequestId, HttpExchange>();
  #events: HttpExchange | undefined;
  #isClosed = false;

  constructor(sessionId: string, limits: HttpLimits) {
    this.sessionId = sessionId;
    this.#limits = limits;
  }

  /** Whether somebody waits for an answer or listens. */
  get isBusy(): boolean {
    return this.#exchanges.size > 0 || this.#events !== undefined;
  }

  async start(): Promise<void> {}

  /** Takes the messages of one request. The answer ends it, or there is none to wait for. */
  receive(
    messages: readonly JSONRPCMessage[],
    request: IncomingMessage,
    response: ServerResponse,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    this.lastUsed = Date.now();
    const ids = messages.filter(isJSONRPCRequest).map(({ id }) => id);
    if (ids.length === 0) {
      response.writeHead(202, headers).end();
    } else if (this.#exchanges.size + ids.length > this.#limits.requestsOfSession) {
      const message = "too many requests of this session are not answered yet";
      refuse(request, response, { status: 429, message, headers: { "retry-after": "1" } });
      return;
    } else if (ids.some((id) => this.#exchanges.has(id)) || new Set(ids).size < ids.length) {
      refuse(request, response, {
        status: 400,
        message: "a request has this id already",
        code: -32_600,
      });
      return;
    } else {
      const exchange = new HttpExchange(response, headers, new Set(ids));
      for (const id of ids) this.#exchanges.set(id, exchange);
      response.once("close", () => this.#abandon(exchange, ids));
    }
    for (const message of messages) {
      this.onmessage?.(message);
      const canceled = canceledRequest(message);
      if (canceled !== undefined) this.#finish(canceled);
    }
  }

  /** The one stream for what belongs to no request. */
  listen(request: IncomingMessage, response: ServerResponse): void {
    this.lastUsed = Date.now();
    if (this.#events !== undefined) {
      refuse(request, response, { status: 409, message: "this session has a stream already" });
      return;
    }
    const events = new HttpExchange(response, { "mcp-session-id": this.sessionId }, new Set());
    events.stream();
    this.#events = events;
    response.once("close", () => {
      if (this.#events === events) this.#events = undefined;
      this.lastUsed = Date.now();
    });
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.lastUsed = Date.now();
    if ("method" in message) {
      const related = options?.relatedRequestId;
      const exchange = related === undefined ? this.#events : this.#exchanges.get(related);
      if (exchange?.event(message) !== true && isJSONRPCRequest(message)) {
        throw new Error("no one can be asked");
      }
    } else if (message.id !== undefined) {
      this.#exchanges.get(message.id)?.answer(message.id, message);
      this.#exchanges.delete(message.id);
    }
    if (this.#waitingBytes > this.#limits.waitingBytes) await this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const exchange of this.#exchanges.values()) exchange.end();
    this.#exchanges.clear();
    this.#events?.end();
    this.onclose?.();
  }

  get #waitingBytes(): number {
    let bytes = this.#events?.waitingBytes ?? 0;
    for (const exchange of new Set(this.#exchanges.values())) bytes += exchange.waitingBytes;
    return bytes;
  }

  /** A canceled request gets no answer. */
  #finish(id: RequestId): void {
    this.#exchanges.get(id)?.answer(id);
    this.#exchanges.delete(id);
  }

  /** The client went away before the answer, so that nobody wants it any more. */
  #abandon(exchange: HttpExchange, ids: readonly RequestId[]): void {
    for (const id of ids) {
      if (this.#exchanges.get(id) !== exchange) continue;
      this.#exchanges.delete(id);
      const params = { requestId: id, reason: "the connection was closed" };
      this.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
  }
}
