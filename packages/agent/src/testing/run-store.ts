import type { TestRunner } from "@skillwright/core/testing";
import { AuditError, type AuditEvent, type AuditRecord } from "@skillwright/runtime";
import assert from "node:assert/strict";
import type { RunStore } from "../runs/run-store.ts";

interface StoreUnderTest {
  readonly store: RunStore;
  /** The same runs as another process sees them. Default: the store itself. */
  readonly reopened?: () => RunStore | Promise<RunStore>;
}

const event = (name: AuditEvent["event"], data: object = {}): AuditEvent => ({ event: name, data });
const at = (expectedSequence: number) => ({ expectedSequence });
const A = event("tool-call", { a: 1, text: "ü\u2028\u0000" });
const B = event("workspace-read", { b: [null, true] });
const C = event("tool-end");

/** Checks that records hold these events in this order, numbered from `first`. */
function holds(
  records: readonly AuditRecord[] | undefined,
  events: readonly AuditEvent[],
  first = 1,
): void {
  assert.deepEqual(
    records?.map(({ sequence, event: name, data }) => ({ sequence, event: name, data })),
    events.map(({ event: name, data }, i) => ({ sequence: first + i, event: name, data })),
  );
}

/**
 * Checks that a store keeps the contract of `RunStore`, with the runner of any test library. Each test
 * gets a new, empty store.
 */
export function describeRunStore(
  { describe, it }: TestRunner,
  name: string,
  create: () => StoreUnderTest | Promise<StoreUnderTest>,
): void {
  const opened = async () => {
    const { store, reopened = () => store } = await create();
    return { store, reopened };
  };

  describe(`${name} is a store of runs`, () => {
    it("P-03 keeps events as they were appended, in order, numbered from 1", async () => {
      const { store, reopened } = await opened();
      const log = await store.create("run-1");
      assert.equal(log.runId, "run-1");
      assert.deepEqual(log.records, []);
      assert.notEqual(log.file, "");
      const records = [...(await log.append([A], at(0))), ...(await log.append([B, C], at(1)))];
      holds(records, [A, B, C]);
      for (const { time } of records) assert.ok(!Number.isNaN(Date.parse(time)), time);
      log.close();
      assert.deepEqual(await (await reopened()).read("run-1"), records);
    });

    it("P-03 writes nothing for an empty list of events", async () => {
      const { store } = await opened();
      const log = await store.create("run-1");
      assert.deepEqual(await log.append([], at(0)), []);
      await log.append([A], at(0));
      log.close();
      holds(await store.read("run-1"), [A]);
    });

    it("P-03 refuses to create a run that exists, and leaves that run as it is", async () => {
      const { store } = await opened();
      const log = await store.create("run-1");
      await log.append([A], at(0));
      log.close();
      await assert.rejects(store.create("run-1"), Error);
      holds(await store.read("run-1"), [A]);
    });

    it("P-03 gives undefined for a run that does not exist", async () => {
      const { store } = await opened();
      assert.equal(await store.open("run-1"), undefined);
      assert.equal(await store.read("run-1"), undefined);
      assert.deepEqual(await store.list(), []);
    });

    it("P-03 lists the newest run first", async () => {
      const { store, reopened } = await opened();
      for (const runId of ["run-1", "run-2", "run-3"]) (await store.create(runId)).close();
      for (const one of [store, await reopened()]) {
        assert.deepEqual(await one.list(), ["run-3", "run-2", "run-1"]);
      }
    });

    it("P-03 reads and opens a run that was created and never written", async () => {
      const { store, reopened } = await opened();
      (await store.create("run-1")).close();
      const other = await reopened();
      assert.deepEqual(await other.read("run-1"), []);
      const log = await other.open("run-1");
      assert.deepEqual(log?.records, []);
      await log.append([A], at(0));
      log.close();
      holds(await store.read("run-1"), [A]);
    });

    it("P-03 continues the numbers of a reopened run, whose list of records stays as it was", async () => {
      const { store, reopened } = await opened();
      const log = await store.create("run-1");
      await log.append([A, B], at(0));
      log.close();
      const again = await (await reopened()).open("run-1");
      assert.ok(again !== undefined);
      holds(await again.append([C], at(2)), [C], 3);
      holds(again.records, [A, B]);
      again.close();
      holds(await store.read("run-1"), [A, B, C]);
    });

    for (const expected of [0, 1, 3, 99, -1]) {
      it(`P-03 rejects the expected sequence ${expected} after 2 events, and writes nothing`, async () => {
        const { store } = await opened();
        const log = await store.create("run-1");
        await log.append([A, B], at(0));
        await assert.rejects(log.append([C, C], at(expected)), (error) =>
          AuditError.isInstance(error),
        );
        holds(await log.append([C], at(2)), [C], 3);
        log.close();
        holds(await store.read("run-1"), [A, B, C]);
      });
    }

    it("P-03 lets one of two writers with the same expected sequence succeed", async () => {
      const { store } = await opened();
      const log = await store.create("run-1");
      const results = await Promise.allSettled([log.append([A], at(0)), log.append([B], at(0))]);
      assert.deepEqual(results.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
      log.close();
      assert.equal((await store.read("run-1"))?.length, 1);
    });

    it("P-03 writes all of a batch or nothing of it", async () => {
      const { store } = await opened();
      const log = await store.create("run-1");
      await log.append([A], at(0));
      const bad = { event: "not a name", data: {} } as unknown as AuditEvent;
      const written = await log.append([B, bad], at(1)).catch(() => []);
      assert.ok(written.length === 0 || written.length === 2, `${written.length} were written`);
      const sequence = 1 + written.length;
      holds(await log.append([C], at(sequence)), [C], sequence + 1);
      log.close();
      holds(await store.read("run-1"), [A, ...written, C]);
    });

    it("P-03 keeps runs apart, and lets a log be closed twice", async () => {
      const { store } = await opened();
      const one = await store.create("run-1");
      const two = await store.create("run-2");
      await one.append([A], at(0));
      await two.append([B, C], at(0));
      for (const log of [one, two, one]) log.close();
      holds(await store.read("run-1"), [A]);
      holds(await store.read("run-2"), [B, C]);
    });

    it("P-03 gives readers a list that later events do not change", async () => {
      const { store } = await opened();
      const log = await store.create("run-1");
      await log.append([A], at(0));
      const before = await store.read("run-1");
      await log.append([B], at(1));
      log.close();
      holds(before, [A]);
    });
  });

  describe(`${name} keeps exact texts, if any`, () => {
    it("P-03 keeps the last text of a run and number until it is removed", async () => {
      const { store, reopened } = await opened();
      const { exactTexts } = store;
      if (exactTexts === undefined) return;
      for (const runId of ["run-1", "run-2"]) (await store.create(runId)).close();
      assert.deepEqual(await exactTexts.get("run-1"), new Map());
      const first = { text: "token=abc\n{" };
      const second = { text: "second" };
      await exactTexts.put("run-1", [
        [1, first],
        [2, { text: "first" }],
      ]);
      await exactTexts.put("run-1", [[2, second]]);
      await exactTexts.put("run-2", [[1, { text: "other" }]]);
      const kept = new Map([
        [1, first],
        [2, second],
      ]);
      for (const one of [store, await reopened()]) {
        assert.deepEqual(await one.exactTexts?.get("run-1"), kept);
      }
      await exactTexts.remove("run-1");
      await exactTexts.remove("run-1");
      assert.deepEqual(await (await reopened()).exactTexts?.get("run-1"), new Map());
      assert.deepEqual((await exactTexts.get("run-2")).get(1), { text: "other" });
    });

    it("P-03 keeps exact texts out of the record", async () => {
      const { store } = await opened();
      const log = await store.create("run-1");
      await log.append([A], at(0));
      await store.exactTexts?.put("run-1", [[1, { text: "hidden" }]]);
      log.close();
      assert.ok(!JSON.stringify(await store.read("run-1")).includes("hidden"));
    });
  });
}
