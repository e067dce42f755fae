import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TrialEnd } from "./index.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("TrialEnd", () => {
  it("E-03 ends at its time, and says so", () => {
    const end = new TrialEnd(100, []);
    vi.advanceTimersByTime(99);
    expect([end.signal.aborted, end.isTimedOut]).toEqual([false, false]);
    vi.advanceTimersByTime(1);
    expect([end.signal.aborted, end.isTimedOut]).toEqual([true, true]);
  });

  it("E-03 ends with any signal, before or after it began, and that is no time-out", () => {
    const [first, second] = [new AbortController(), new AbortController()];
    const end = new TrialEnd(100, [first.signal, undefined, second.signal]);
    second.abort("enough");
    expect([end.signal.aborted, end.signal.reason, end.isTimedOut]).toEqual([
      true,
      "enough",
      false,
    ]);
    expect(new TrialEnd(100, [second.signal]).signal.reason).toBe("enough");
  });

  it("E-03 does not count what something waits for, however often", () => {
    const end = new TrialEnd(100, []);
    vi.advanceTimersByTime(60);
    const goOn = end.pause();
    const goOnToo = end.pause();
    vi.advanceTimersByTime(5000);
    goOn();
    goOn();
    vi.advanceTimersByTime(5000);
    expect([end.signal.aborted, Math.round(end.pausedMs)]).toEqual([false, 10_000]);
    goOnToo();
    vi.advanceTimersByTime(39);
    expect([end.isTimedOut, Math.round(end.pausedMs)]).toEqual([false, 10_000]);
    vi.advanceTimersByTime(1);
    expect(end.isTimedOut).toBe(true);
  });

  it("E-03 a signal ends it also while it waits, and nothing begins anew after the end", () => {
    const stop = new AbortController();
    const end = new TrialEnd(100, [stop.signal]);
    const goOn = end.pause();
    stop.abort();
    goOn();
    expect([end.signal.aborted, vi.getTimerCount()]).toEqual([true, 0]);
    const closed = new TrialEnd(100, []);
    const late = closed.pause();
    closed.close();
    late();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("E-03 leaves neither a timer nor a listener behind", () => {
    const { signal } = new AbortController();
    const end = new TrialEnd(100, [signal]);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    end.close();
    expect(getEventListeners(signal, "abort")).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
    expect(end.isTimedOut).toBe(false);
  });
});
