import type { Readable, Writable } from "node:stream";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { canceledRequest } from "../canceled-request.ts";

export interface PacedTransportOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxBufferSize: number;
  /** Requests that are worked on at the same time. Default: 16. */
  readonly maxRequests?: number;
  /** Bytes that wait for the client to read them before more is begun. Default: 16 MiB. */
  readonly maxWaitingBytes?: number;
}

/** So many requests wait before nothing more is read. Answers to questions have to come through. */
const MAX_QUEUE = 256;
/** A subscription lasts, and is no work; somebody who asks whether we are there is not to wait for it. */
const UNCOUNTED: ReadonlySet<string> = new Set(["subscriptions/listen", "ping"]);

/** Begins no more requests than can be worked on, and no faster than answers are taken. */
export class PacedTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #inner: StdioServerTransport;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #maxRequests: number;
  readonly #maxWaitingBytes: number;
  readonly #begun = new Set<RequestId>();
  #queue: JSONRPCRequest[] = [];

  constructor(options: PacedTransportOptions) {
    const { input, output, maxBufferSize, maxRequests = 16, maxWaitingBytes = 2 ** 24 } = options;
    this.#inner = new StdioServerTransport(input, output, { maxBufferSize });
    this.#input = input;
    this.#output = output;
    this.#maxRequests = maxRequests;
    this.#maxWaitingBytes = maxWaitingBytes;
  }

  async start(): Promise<void> {
    const inner = this.#inner;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has only this
    inner.onmessage = (message) => this.#receive(message);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has only this
    inner.onerror = (error) => this.onerror?.(error);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has only this
    inner.onclose = () => {
      this.#output.off("drain", this.#onDrain);
      this.#queue = [];
      this.onclose?.();
    };
    // Each answer that is not taken yet listens, too; how many there are is bounded here.
    this.#output.setMaxListeners(0);
    this.#output.on("drain", this.#onDrain);
    await inner.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const sent = this.#inner.send(message);
    if (!("method" in message) && message.id !== undefined) this.#end(message.id);
    await sent;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  readonly #onDrain = () => this.#goOn();

  #receive(message: JSONRPCMessage): void {
    const canceled = canceledRequest(message);
    if (canceled !== undefined) {
      this.#queue = this.#queue.filter(({ id }) => id !== canceled);
    }
    if (!isJSONRPCRequest(message)) {
      this.onmessage?.(message);
      // A canceled request gets no answer.
      if (canceled !== undefined) this.#end(canceled);
      return;
    }
    if (UNCOUNTED.has(message.method) && !this.#isBehind) {
      this.onmessage?.(message);
      return;
    }
    this.#queue.push(message);
    this.#goOn();
    if (this.#queue.length > MAX_QUEUE) this.#input.pause();
  }

  /** Whether the client has much to read already. */
  get #isBehind(): boolean {
    return this.#output.writableLength > this.#maxWaitingBytes;
  }

  #end(id: RequestId): void {
    this.#begun.delete(id);
    this.#goOn();
  }

  #goOn(): void {
    while (this.#begun.size < this.#maxRequests) {
      if (this.#isBehind) break;
      const request = this.#queue.shift();
      if (request === undefined) break;
      if (!UNCOUNTED.has(request.method)) this.#begun.add(request.id);
      this.onmessage?.(request);
    }
    if (this.#queue.length <= MAX_QUEUE && this.#input.isPaused()) this.#input.resume();
  }
}
