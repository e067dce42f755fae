import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { WantedMessages } from "../index.ts";

const REQUEST: JSONRPCMessage = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const CHANGED: JSONRPCMessage = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
const answer = (id: number | string): JSONRPCMessage => ({ jsonrpc: "2.0", id, result: {} });

describe("WantedMessages", () => {
  it("H-02 an answer is wanted once, and only to what was asked", () => {
    const wanted = new WantedMessages();
    expect(wanted.isWanted(answer(1))).toBe(false);
    wanted.sent(REQUEST);
    expect([answer(2), answer("1"), answer(1)].map((one) => wanted.isWanted(one))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("H-02 that tools have changed is news once between two requests", () => {
    const wanted = new WantedMessages();
    expect([wanted.isWanted(CHANGED), wanted.isWanted(CHANGED)]).toEqual([true, false]);
    wanted.sent(answer("q"));
    expect(wanted.isWanted(CHANGED)).toBe(false);
    wanted.sent(REQUEST);
    expect(wanted.isWanted(CHANGED)).toBe(true);
  });

  it("H-02 logs and progress are not looked at, questions up to a number", () => {
    const wanted = new WantedMessages();
    for (const method of ["notifications/message", "notifications/progress", "x"]) {
      expect(wanted.isWanted({ jsonrpc: "2.0", method })).toBe(false);
    }
    const ask = () => wanted.isWanted({ jsonrpc: "2.0", id: "q", method: "ping" });
    const answered = Array.from({ length: 1000 }, ask).filter(Boolean).length;
    expect(answered).toBe(100);
  });
});
