import assert from "node:assert/strict";
import type { StateStore } from "../conversation/state-store.ts";
import type { TrustStore } from "../registry/trust-store.ts";

/** `describe` and `it` of any test library: `node:test`, vitest, jest, mocha. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly it: (name: string, body: () => Promise<void>) => unknown;
}

/** A new, empty store, and the same data as another process sees it. */
interface StoreUnderTest<Store> {
  readonly store: Store;
  readonly reopened: () => Store | Promise<Store>;
}
type Create<Store> = () => StoreUnderTest<Store> | Promise<StoreUnderTest<Store>>;

/** Checks that a store keeps the contract of `StateStore`. */
export function describeStateStore(
  { describe, it }: TestRunner,
  name: string,
  create: Create<StateStore>,
): void {
  describe(`${name} is a store of states`, () => {
    it("D-09 gives a state back as it was saved, also to another process", async () => {
      const { store, reopened } = await create();
      const state = { text: 'ü\u2028"', list: [null, true, 1.5], ["__proto__x"]: {} };
      assert.equal(await store.load("chat/1 …"), undefined);
      const version = await store.save("chat/1 …", state);
      assert.ok(typeof version === "string");
      assert.deepEqual(await (await reopened()).load("chat/1 …"), { state, version });
      await store.remove("chat/1 …");
      await store.remove("chat/1 …");
      assert.equal(await (await reopened()).load("chat/1 …"), undefined);
    });

    it("D-12 keeps ids apart, whatever they look like", async () => {
      const { store, reopened } = await create();
      const ids = ["a", "A", "a/b", "../a", "a ", "", "ä", "a".repeat(300)];
      for (const id of ids) assert.ok((await store.save(id, { id })) !== undefined, id);
      const later = await reopened();
      for (const id of ids) assert.deepEqual((await later.load(id))?.state, { id });
    });

    it("D-12 saves over no state that it did not load", async () => {
      const { store, reopened } = await create();
      const other = await reopened();
      const first = await store.save("chat", 1);
      assert.equal(await other.save("chat", 2), undefined);
      const second = await other.save("chat", 3, first);
      assert.ok(second !== undefined && second !== first);
      assert.equal(await store.save("chat", 4, first), undefined);
      assert.equal((await store.load("chat"))?.state, 3);
    });

    it("D-12 of many that save at once exactly one succeeds", async () => {
      const { store, reopened } = await create();
      const stores = [store, await reopened(), await reopened()];
      const first = await store.save("chat", "first");
      const saves = Array.from({ length: 24 }, async (_, i) =>
        stores[i % 3]?.save("chat", i, first),
      );
      const versions = await Promise.all(saves);
      assert.equal(versions.filter((version) => version !== undefined).length, 1);
      const at = versions.findIndex((version) => version !== undefined);
      assert.deepEqual(await store.load("chat"), { state: at, version: versions[at] });
    });
  });
}

/** Checks that a store keeps the contract of `TrustStore`. Folders need not exist. */
export function describeTrustStore(
  { describe, it }: TestRunner,
  name: string,
  create: Create<TrustStore>,
): void {
  describe(`${name} is a store of trust`, () => {
    it("R-12 remembers folders, one by one", async () => {
      const { store, reopened } = await create();
      assert.equal(await store.folder("/no/where/a"), "unknown");
      await store.setFolder("/no/where/a", "trusted");
      await store.setFolder("/no/where/b", "untrusted");
      const later = await reopened();
      assert.equal(await later.folder("/no/where/a"), "trusted");
      assert.equal(await later.folder("/no/where/b"), "untrusted");
      assert.equal(await later.folder("/no/where/a/inner"), "unknown");
      assert.equal(await later.folder("/no/where"), "unknown");
      await later.setFolder("/no/where/a", "unknown");
      assert.equal(await (await reopened()).folder("/no/where/a"), "unknown");
    });

    it("R-12 remembers contents by digest, and forgets all that had a name", async () => {
      const { store, reopened } = await create();
      await store.trustDigest("sha256:1", "pdf");
      await store.trustDigest("sha256:2", "PDF");
      await store.trustDigest("sha256:3", "other");
      assert.equal((await reopened()).digests.get("sha256:1"), "pdf");
      assert.equal(await store.untrustName("pdf"), true);
      assert.equal(await store.untrustName("pdf"), false);
      assert.deepEqual([...(await reopened()).digests], [["sha256:3", "other"]]);
    });

    it("R-12 loses no decision when several processes decide at once", async () => {
      const { store, reopened } = await create();
      const stores = [store, await reopened(), await reopened()];
      const digests = Array.from({ length: 12 }, (_, i) => `sha256:${i}`);
      await Promise.all(
        digests.map(async (one, i) => stores[i % 3]?.trustDigest(one, `skill-${i}`)),
      );
      assert.deepEqual([...(await reopened()).digests.keys()].sort(), digests.sort());
    });
  });
}
