import type { TestRunner } from "@skillwright/core/testing";
import assert from "node:assert/strict";
import { type Audit, AuditError, type AuditEvent } from "../audit/audit.ts";

interface AuditUnderTest {
  readonly audit: Audit;
  /** What is stored, in its order, as another process sees it. */
  readonly read: () => Promise<readonly AuditEvent[]> | readonly AuditEvent[];
}

/**
 * Checks that a record keeps the contract of `Audit`, with the runner of any test library. Each test
 * gets a new, empty record.
 */
export function describeAudit(
  { describe, it }: TestRunner,
  name: string,
  create: () => AuditUnderTest | Promise<AuditUnderTest>,
): void {
  describe(`${name} is a record`, () => {
    it("P-03 keeps events in their order, stored once sync is done", async () => {
      const { audit, read } = await create();
      for (let i = 0; i < 20; i++) audit.append({ event: "tool-call", data: { i } });
      await audit.sync();
      audit.append({ event: "tool-end", data: { text: 'ü\u2028"', list: [null, 1.5] } });
      await Promise.all([audit.sync(), audit.sync()]);
      const stored = await read();
      assert.deepEqual(
        stored.slice(0, 20).map(({ data }) => (data as { i: number }).i),
        Array.from({ length: 20 }, (_, i) => i),
      );
      assert.equal(stored.length, 21);
      assert.equal(stored[20]?.event, "tool-end");
      assert.deepEqual(stored[20].data, { text: 'ü\u2028"', list: [null, 1.5] });
      await audit.close();
    });

    it("P-04 takes secrets out, and keeps what was appended whatever becomes of the object", async () => {
      const { audit, read } = await create();
      const data = { password: "hunter2-hunter2", path: "a.txt" };
      audit.append({ event: "tool-call", data });
      data.path = "b.txt";
      await audit.close();
      const text = JSON.stringify(await read());
      assert.ok(!text.includes("hunter2"), text);
      assert.ok(text.includes("a.txt") && !text.includes("b.txt"), text);
    });

    it("P-03 is complete when it is closed, and takes nothing afterwards", async () => {
      const { audit, read } = await create();
      audit.append({ event: "run-end" });
      await audit.close();
      await audit.close();
      assert.throws(
        () => audit.append({ event: "tool-call" }),
        (error) => AuditError.isInstance(error),
      );
      assert.deepEqual(
        (await read()).map(({ event }) => event),
        ["run-end"],
      );
    });
  });
}
