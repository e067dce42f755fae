import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { RunQueue } from "./index.ts";

it("X-05 runs at most so many at once, all of them, in order", async () => {
  const queue = new RunQueue(3);
  let running = 0;
  let most = 0;
  const started: number[] = [];
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      queue.run(async () => {
        started.push(i);
        most = Math.max(most, ++running);
        await setTimeout(1);
        running--;
        return i;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(started).toEqual(results);
});

it("X-05 a canceled turn is never taken, and holds up nobody", async () => {
  const queue = new RunQueue(1);
  const controller = new AbortController();
  let release = () => {};
  const first = queue.run(
    () => new Promise<string>((resolve) => (release = () => resolve("first"))),
  );
  const canceled = queue.run(() => Promise.reject(new Error("ran")), controller.signal);
  const last = queue.run(() => Promise.resolve("last"));
  controller.abort();
  expect(await canceled).toBeUndefined();
  expect(await queue.run(() => Promise.resolve(1), controller.signal)).toBeUndefined();
  release();
  expect(await Promise.all([first, last])).toEqual(["first", "last"]);
});

it("X-05 a failure gives its turn to the next", async () => {
  const queue = new RunQueue(1);
  const failed = queue.run(() => Promise.reject(new Error("no")));
  const next = queue.run(() => Promise.resolve("next"));
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("next");
});
