import { AuditError, type AuditEvent } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import type { RunStore } from "../../packages/agent/src/index.ts";

interface StoreUnderTest {
  readonly store: RunStore;
  /** The same runs as another process sees them; default: the store itself. */
  readonly reopened?: () => RunStore;
}

/** Checks that a store keeps the contract of `RunStore`. Each test gets a new, empty one. */
export function describeRunStore(name: string, create: () => StoreUnderTest): void {
  const event = (text: AuditEvent["event"], data: object = {}): AuditEvent => ({
    event: text,
    data,
  });
  const at = (expectedSequence: number) => ({ expectedSequence });
  const A = event("tool-call", { a: 1, text: "ü\u2028\u0000" });
  const B = event("workspace-read", { b: [null, true] });
  const C = event("tool-end");

  const place = () => {
    const { store, reopened = () => store } = create();
    return { store, reopened };
  };

  describe(`${name} is a store of runs`, () => {
    it("P-03 keeps events as they were appended, in order, numbered from 1", async () => {
      const { store, reopened } = place();
      const log = await store.create("run-1");
      expect(log).toMatchObject({ runId: "run-1", records: [] });
      expect(log.file).not.toBe("");
      const first = await log.append([A], at(0));
      const more = await log.append([B, C], at(1));
      expect([...first, ...more]).toMatchObject([
        { sequence: 1, ...A },
        { sequence: 2, ...B },
        { sequence: 3, ...C },
      ]);
      for (const { time } of more) expect(Number.isNaN(Date.parse(time))).toBe(false);
      log.close();
      expect(await reopened().read("run-1")).toEqual([...first, ...more]);
    });

    it("P-03 nothing appended is nothing written", async () => {
      const { store } = place();
      const log = await store.create("run-1");
      expect(await log.append([], at(0))).toEqual([]);
      await log.append([A], at(0));
      log.close();
      expect(await store.read("run-1")).toHaveLength(1);
    });

    it("P-03 a run that is there cannot be created again, and is not changed by the attempt", async () => {
      const { store } = place();
      const log = await store.create("run-1");
      await log.append([A], at(0));
      log.close();
      await expect(store.create("run-1")).rejects.toBeInstanceOf(Error);
      expect(await store.read("run-1")).toMatchObject([A]);
    });

    it("P-03 a run that is not there is undefined to open and to read", async () => {
      const { store } = place();
      expect(await store.open("run-1")).toBeUndefined();
      expect(await store.read("run-1")).toBeUndefined();
      expect(await store.list()).toEqual([]);
    });

    it("P-03 lists the newest run first", async () => {
      const { store, reopened } = place();
      for (const runId of ["run-1", "run-2", "run-3"]) (await store.create(runId)).close();
      expect(await store.list()).toEqual(["run-3", "run-2", "run-1"]);
      expect(await reopened().list()).toEqual(["run-3", "run-2", "run-1"]);
    });

    it("P-03 a run that was created and never written can be read and opened", async () => {
      const { store, reopened } = place();
      (await store.create("run-1")).close();
      expect(await reopened().read("run-1")).toEqual([]);
      const log = await reopened().open("run-1");
      expect(log?.records).toEqual([]);
      await log?.append([A], at(0));
      log?.close();
      expect(await store.read("run-1")).toMatchObject([A]);
    });

    it("P-03 a reopened run has its records and continues its numbers", async () => {
      const { store, reopened } = place();
      const log = await store.create("run-1");
      await log.append([A, B], at(0));
      log.close();
      const again = await reopened().open("run-1");
      expect(again?.records).toMatchObject([A, B]);
      expect(await again?.append([C], at(2))).toMatchObject([{ sequence: 3, ...C }]);
      // What was there when it was opened stays that.
      expect(again?.records).toHaveLength(2);
      again?.close();
      expect(await store.read("run-1")).toMatchObject([A, B, C]);
    });

    it.each([0, 1, 3, 99, -1])(
      "P-03 after 2 events an expected sequence of %i is a conflict, and nothing is written",
      async (expected) => {
        const { store } = place();
        const log = await store.create("run-1");
        await log.append([A, B], at(0));
        const conflict = log.append([C, C], at(expected));
        await expect(conflict).rejects.toSatisfy((error) => AuditError.isInstance(error));
        expect(await log.append([C], at(2))).toMatchObject([{ sequence: 3 }]);
        log.close();
        expect(await store.read("run-1")).toMatchObject([A, B, C]);
      },
    );

    it("P-03 of two writers with the same expectation one wins", async () => {
      const { store } = place();
      const log = await store.create("run-1");
      const results = await Promise.allSettled([log.append([A], at(0)), log.append([B], at(0))]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      log.close();
      expect(await store.read("run-1")).toHaveLength(1);
    });

    it("P-03 a batch with an event that a store may refuse is written as a whole or not at all", async () => {
      const { store } = place();
      const log = await store.create("run-1");
      await log.append([A], at(0));
      const bad = { event: "not a name", data: {} } as unknown as AuditEvent;
      const written = await log.append([B, bad], at(1)).catch(() => []);
      expect([0, 2]).toContain(written.length);
      const sequence = 1 + written.length;
      expect(await log.append([C], at(sequence))).toMatchObject([{ sequence: sequence + 1 }]);
      log.close();
      expect(await store.read("run-1")).toMatchObject([A, ...written, C]);
    });

    it("P-03 runs do not see each other's events, and closing twice is safe", async () => {
      const { store } = place();
      const one = await store.create("run-1");
      const two = await store.create("run-2");
      await one.append([A], at(0));
      await two.append([B, C], at(0));
      for (const log of [one, two, one]) log.close();
      expect(await store.read("run-1")).toMatchObject([A]);
      expect(await store.read("run-2")).toMatchObject([B, C]);
    });

    it("P-03 what a reader was given does not change with later events", async () => {
      const { store } = place();
      const log = await store.create("run-1");
      await log.append([A], at(0));
      const before = await store.read("run-1");
      await log.append([B], at(1));
      expect(before).toHaveLength(1);
      log.close();
    });
  });

  describe(`${name} keeps exact texts, if any`, () => {
    it("P-03 by run and sequence, the last one of a number, until they are removed", async () => {
      const { store, reopened } = place();
      const { exactTexts } = store;
      if (exactTexts === undefined) return;
      for (const runId of ["run-1", "run-2"]) (await store.create(runId)).close();
      expect(await exactTexts.get("run-1")).toEqual(new Map());
      await exactTexts.put("run-1", [
        [1, { text: "token=abc\n{" }],
        [2, { text: "first" }],
      ]);
      await exactTexts.put("run-1", [[2, { text: "second" }]]);
      await exactTexts.put("run-2", [[1, { text: "other" }]]);
      const expected = new Map([
        [1, { text: "token=abc\n{" }],
        [2, { text: "second" }],
      ]);
      expect(await exactTexts.get("run-1")).toEqual(expected);
      expect(await reopened().exactTexts?.get("run-1")).toEqual(expected);
      await exactTexts.remove("run-1");
      await exactTexts.remove("run-1");
      expect(await reopened().exactTexts?.get("run-1")).toEqual(new Map());
      expect((await exactTexts.get("run-2")).get(1)).toEqual({ text: "other" });
    });

    it("P-03 they are no part of the record", async () => {
      const { store } = place();
      const log = await store.create("run-1");
      await log.append([A], at(0));
      await store.exactTexts?.put("run-1", [[1, { text: "hidden" }]]);
      log.close();
      expect(JSON.stringify(await store.read("run-1"))).not.toContain("hidden");
    });
  });
}
