import { describe, expect, it } from "vitest";
import { HOST_LIMITS } from "../../index.ts";
import { BackOff } from "../index.ts";

describe("BackOff", () => {
  it("H-02 waits longer each time, then gives up, and forgets it all with an answer", () => {
    const limits = { ...HOST_LIMITS, attempts: 4, backOffMs: 100, maxBackOffMs: 300 };
    let now = 1000;
    const backOff = new BackOff(limits, () => now);
    const waits: number[] = [];
    while (!backOff.isOver) {
      backOff.failed();
      waits.push(backOff.waitMs());
      now += 1;
    }
    expect(waits).toEqual([100, 200, 300, 300]);
    backOff.connected();
    now += 300;
    backOff.succeeded();
    expect([backOff.isOver, backOff.waitMs()]).toEqual([false, 0]);
  });

  it("H-02 an answer right after a crash is not yet the end of a crash loop", () => {
    const limits = { ...HOST_LIMITS, attempts: 3, backOffMs: 100, maxBackOffMs: 300 };
    let now = 1000;
    const backOff = new BackOff(limits, () => now);
    for (let i = 0; i < limits.attempts; i++) {
      backOff.failed();
      now += backOff.waitMs() + 1000;
      backOff.connected();
      backOff.succeeded();
    }
    expect(backOff.isOver).toBe(true);
  });
});
