import { describe, expect, it } from "vitest";
import { stopOnInterrupt, type StopSignals } from "./index.ts";

async function interrupted(...signals: readonly NodeJS.Signals[]) {
  const told: string[] = [];
  let seen: StopSignals | undefined;
  const states = await stopOnInterrupt(
    async (given) => {
      seen = given;
      return signals.map((name) => {
        process.emit(name, name);
        return [given.stop.aborted, given.signal.aborted];
      });
    },
    { onStop: (how) => told.push(how) },
  );
  return { told, states, seen };
}

describe("Ctrl-C", () => {
  it("C-01 once lets the step end, twice ends it now", async () => {
    const { told, states } = await interrupted("SIGINT", "SIGINT");
    expect(states).toEqual([
      [true, false],
      [true, true],
    ]);
    expect(told).toEqual(["after-step", "now"]);
  });

  it.each([
    ["SIGTERM", "now"],
    ["SIGHUP", "gone"],
  ] as const)("C-01 %s ends it now", async (name, how) => {
    const { told, states } = await interrupted(name);
    expect(states).toEqual([[true, true]]);
    expect(told).toEqual([how]);
  });

  it("C-01 leaves no listener behind, also when the work fails", async () => {
    const count = () => process.listenerCount("SIGINT") + process.listenerCount("SIGHUP");
    const before = count();
    await interrupted("SIGINT");
    const failed = stopOnInterrupt(() => Promise.reject(new Error("failed")));
    await expect(failed).rejects.toThrow("failed");
    expect(count()).toBe(before);
  });

  it("C-01 a key that a prompt read counts as the end", async () => {
    const told: string[] = [];
    await stopOnInterrupt(
      async ({ endNow, signal }) => {
        endNow();
        endNow();
        expect(signal.aborted).toBe(true);
      },
      { onStop: (how) => told.push(how) },
    );
    expect(told).toEqual(["now"]);
  });
});
