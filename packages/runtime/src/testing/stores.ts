import type { TestRunner } from "@skillwright/core/testing";
import assert from "node:assert/strict";
import { type ApprovalCall, type ApprovalDecision, ApprovalError } from "../approvals/approval.ts";
import { resumeApproval } from "../approvals/approvers.ts";
import { openApprovals } from "../approvals/open-approvals.ts";
import type { ApprovalPlace, ApprovalStore } from "../approvals/store.ts";
import { type Audit, AuditError, type AuditEvent } from "../audit/audit.ts";

interface StoreUnderTest {
  readonly store: ApprovalStore;
  /** The same entries as another process sees them. Default: the store itself. */
  readonly reopened?: () => ApprovalStore;
}

const CALL: ApprovalCall = {
  tool: "run_script",
  input: { args: ["x"], script: "a.py", skill: "pdf" },
  cwd: "/work",
  skill: { name: "pdf", source: "project", digest: "sha256:1" },
  script: { path: "scripts/a.py", args: ["x"], text: "print(1)\n" },
  command: ["python3", "scripts/a.py", "x"],
  sandbox: "bubblewrap",
};
const ALWAYS: ApprovalDecision = { approved: true, scope: "skill", by: "person" };
const placeOf = (id: number, principal = "alice"): ApprovalPlace => {
  return { principal, kind: "approval", id: id.toString(16).padStart(32, "0") };
};

/**
 * Checks that a store keeps the contract of `ApprovalStore`, with the runner of any test library. Each
 * test gets a new, empty store.
 */
export function describeApprovalStore(
  { describe, it }: TestRunner,
  name: string,
  create: () => StoreUnderTest | Promise<StoreUnderTest>,
): void {
  const opened = async () => {
    const { store, reopened = () => store } = await create();
    const approvals = (principal: string, runId = "run-1", from = reopened()) =>
      openApprovals({ stateDirectory: "/nowhere", store: from, runId, principal });
    return { store, reopened, approvals };
  };

  describe(`${name} is a store of approvals`, () => {
    it("P-02 has one key of at least 32 bytes", async () => {
      const { store, reopened } = await opened();
      const key = Buffer.from(await store.key());
      assert.ok(key.length >= 32, `the key has ${key.length} bytes`);
      assert.deepEqual(Buffer.from(await reopened().key()), key);
    });

    it("P-02 gives entries back as they were put, also to another process", async () => {
      const { store, reopened } = await opened();
      const entry = { text: 'x\u0000"', list: [null, true, 1.5], nested: { a: {} } };
      assert.equal(await store.get(placeOf(1)), undefined);
      await store.put(placeOf(1), { old: true });
      await store.put(placeOf(1), entry);
      assert.deepEqual(await reopened().get(placeOf(1)), entry);
      await store.remove(placeOf(1));
      await store.remove(placeOf(1));
      assert.equal(await reopened().get(placeOf(1)), undefined);
    });

    it("P-06 keeps principals and kinds apart", async () => {
      const { store, reopened } = await opened();
      await store.put(placeOf(1), 1);
      await store.put(placeOf(2), 2);
      await store.put(placeOf(1, "bob"), 3);
      await store.put({ ...placeOf(1), kind: "spent" }, 4);
      const list = await reopened().list({ principal: "alice", kind: "approval" });
      assert.deepEqual(
        [...list].sort(([a], [b]) => (a < b ? -1 : 1)),
        [1, 2].map((id) => [placeOf(id).id, id]),
      );
      await store.remove(placeOf(1));
      assert.equal(await reopened().get(placeOf(1, "bob")), 3);
      assert.equal((await store.list({ principal: "carol", kind: "approval" })).size, 0);
    });

    it("P-02 of many that add an entry at once exactly one succeeds", async () => {
      const { store, reopened } = await opened();
      const stores = [store, reopened(), reopened()];
      const added = await Promise.all(
        Array.from({ length: 24 }, async (_, i) => stores[i % 3]?.add(placeOf(1), i)),
      );
      assert.equal(added.filter((one) => one === true).length, 1);
      assert.equal(await reopened().get(placeOf(1)), added.indexOf(true));
    });

    it("P-06 an approval counts in another process, and never for another principal", async () => {
      const { approvals } = await opened();
      const alice = await approvals("alice");
      const recorded = await alice.record(await alice.request(CALL), ALWAYS);
      assert.equal(recorded.ok, true);
      const later = await approvals("alice", "run-2");
      assert.equal((await later.find(await later.request(CALL)))?.by, "memory");
      const bob = await approvals("bob", "run-2");
      assert.equal(await bob.find(await bob.request(CALL)), undefined);
      assert.deepEqual(await bob.list(), []);
    });

    it("P-02 P-06 a request is approved once, by whatever process, and only for its principal", async () => {
      const { approvals } = await opened();
      const stored = await (await approvals("alice")).request(CALL);
      const resume = async (principal: string) =>
        resumeApproval(stored, stored.id, { approvals: await approvals(principal) });
      assert.equal((await resume("bob")).ok, false);
      const results = await Promise.all(Array.from({ length: 8 }, () => resume("alice")));
      assert.equal(results.filter(({ ok }) => ok).length, 1);
    });

    it("P-02 an entry that was changed in the store approves nothing", async () => {
      const { store, approvals } = await opened();
      const alice = await approvals("alice");
      await alice.record(await alice.request(CALL), ALWAYS);
      const [[id = "", entry] = []] = await store.list({ principal: "alice", kind: "approval" });
      await store.put({ principal: "bob", kind: "approval", id }, entry);
      const bob = await approvals("bob");
      const request = await bob.request(CALL);
      await assert.rejects(bob.find(request), (error) => ApprovalError.isInstance(error));
    });
  });
}

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
