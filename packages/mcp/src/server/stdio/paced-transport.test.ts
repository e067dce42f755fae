import { PassThrough, Writable } from "node:stream";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { PacedTransport } from "../index.ts";

const request = (id: number, method = "tools/list") => ({ jsonrpc: "2.0", id, method }) as const;
const answer = (id: number, text = ""): JSONRPCMessage => {
  return { jsonrpc: "2.0", id, result: { text } };
};
const turn = () => new Promise((resolve) => void setImmediate(resolve));

async function paced(limits: { maxRequests?: number; maxWaitingBytes?: number }) {
  const input = new PassThrough();
  const taken: (() => void)[] = [];
  const output = new Writable({ highWaterMark: 1, write: (_, __, done) => void taken.push(done) });
  const transport = new PacedTransport({ input, output, maxBufferSize: 1e6, ...limits });
  const seen: unknown[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has only this
  transport.onmessage = (message) => {
    seen.push("id" in message ? message.id : "method" in message && message.method);
  };
  await transport.start();
  const say = async (...messages: object[]) => {
    input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    await turn();
    await turn();
  };
  return { transport, seen, say, input, take: () => taken.shift()?.() };
}

describe("PacedTransport", () => {
  it("H-02 begins no more requests than it may, and the others in their order", async () => {
    const { transport, seen, say } = await paced({ maxRequests: 2 });
    await say(...[1, 2, 3, 4].map((id) => request(id)));
    expect(seen).toEqual([1, 2]);
    void transport.send(answer(2));
    expect(seen).toEqual([1, 2, 3]);
  });

  it("H-02 subscriptions last, and take no turn of others; nor does a ping", async () => {
    const { seen, say, transport } = await paced({ maxRequests: 1 });
    await say(...[1, 2, 3].map((id) => request(id, "subscriptions/listen")));
    await say(request(4), request(5), request(6, "ping"));
    expect(seen).toEqual([1, 2, 3, 4, 6]);
    void transport.send(answer(4));
    expect(seen).toEqual([1, 2, 3, 4, 6, 5]);
  });

  it("H-02 lets through what is no request, so that questions are answered", async () => {
    const { seen, say } = await paced({ maxRequests: 1 });
    await say(request(1), request(2), answer(7));
    expect(seen).toEqual([1, 7]);
  });

  it("H-02 a canceled request makes room, or is never begun", async () => {
    const { seen, say } = await paced({ maxRequests: 1 });
    const cancel = (requestId: number) => ({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId },
    });
    await say(request(1), request(2), request(3), cancel(2), cancel(1));
    expect(seen).toEqual([1, "notifications/cancelled", "notifications/cancelled", 3]);
  });

  it("H-02 begins nothing while answers are not taken", async () => {
    const { transport, seen, say, take } = await paced({ maxWaitingBytes: 100 });
    await say(request(1));
    void transport.send(answer(1, "x".repeat(200)));
    await say(request(2));
    expect(seen).toEqual([1]);
    take();
    await turn();
    expect(seen).toEqual([1, 2]);
  });

  it("H-02 reads no more than it keeps", async () => {
    const { transport, seen, say, input } = await paced({ maxRequests: 1 });
    await say(...Array.from({ length: 300 }, (_, index) => request(index)));
    expect(input.isPaused()).toBe(true);
    for (let id = 0; id < 300; id++) void transport.send(answer(id));
    expect(seen).toHaveLength(300);
    expect(input.isPaused()).toBe(false);
  });
});
