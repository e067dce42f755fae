import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { bundleCore, runInChild } from "../../../../test/support/core-child.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { openSwitchStore, openTrustStore, withStateLock } from "../registry/index.ts";
import { hasProcessEnded, ownIdentity, takeLock, waitForLock, waitForLockSync } from "./index.ts";

const PROCESSES = 8;
const DECISIONS = 25;

/** Many decisions, spread over processes that start together. */
async function decideTogether(body: string): Promise<string> {
  const state = temporaryFolder();
  chmodSync(state, 0o777);
  const bundle = await bundleCore(temporaryFolder());
  const code = `for (let i = 0; i < ${DECISIONS}; i++) { const id = args[1] + "-" + i; ${body} }`;
  const children = Array.from({ length: PROCESSES }, (_, process) =>
    runInChild(bundle, `${code} return true;`, [state, String(process)]),
  );
  await Promise.all(children);
  return state;
}

describe("decisions of several processes", () => {
  it("R-12 keeps every decision on trust", async () => {
    const state = await decideTogether(
      `const store = await core.openTrustStore(args[0]);
       await store.setFolder("/folder/" + id, "trusted");
       await store.trustDigest("sha256:" + id, id);`,
    );
    const { folders, digests } = await openTrustStore(state);
    expect([folders.size, digests.size]).toEqual([PROCESSES * DECISIONS, PROCESSES * DECISIONS]);
    expect(readdirSync(state)).toEqual(["trust.json"]);
  });

  it("R-09 keeps every switch", async () => {
    const state = await decideTogether(
      `await (await core.openSwitchStore(args[0])).setEnabled("skill-" + id, false);`,
    );
    const store = await openSwitchStore(state);
    expect(await store.disabled("/")).toHaveLength(PROCESSES * DECISIONS);
  });
});

describe("lock", () => {
  const identity = (changes: object = {}) =>
    JSON.stringify({ ...ownIdentity(), token: randomUUID(), ...changes });
  const endedProcess = () => identity({ pid: spawnSync(process.execPath, ["-e", "0"]).pid });

  it("R-12 is taken once, and free again after its release", () => {
    const file = join(temporaryFolder(), "state/a.lock");
    const first = takeLock(file);
    expect(first).toMatchObject({ ok: true });
    expect(takeLock(file)).toMatchObject({ ok: false, file, holder: { pid: process.pid } });
    if (first.ok) first.release();
    expect(readdirSync(dirname(file))).toEqual([]);
    expect(takeLock(file).ok).toBe(true);
  });

  it("R-12 a second release does not remove the lock of another holder", () => {
    const file = join(temporaryFolder(), "a.lock");
    const first = takeLock(file);
    if (first.ok) first.release();
    const second = takeLock(file);
    if (first.ok) first.release();
    expect(second.ok && existsSync(file)).toBe(true);
  });

  it("R-12 takes over from a process that has ended, and removes what it left", () => {
    const dead = endedProcess();
    const { token } = JSON.parse(dead) as { token: string };
    const folder = temporaryFolder({
      "a.lock": dead,
      [`a.lock.after-${token}`]: endedProcess(),
      [`a.lock.new-${randomUUID()}`]: endedProcess(),
      "another.lock": dead,
    });
    const attempt = takeLock(join(folder, "a.lock"));
    expect(readdirSync(folder)).toEqual(["a.lock", "another.lock"]);
    if (attempt.ok) attempt.release();
    expect(readdirSync(folder)).toEqual(["another.lock"]);
  });

  it.each([
    ["a running process", identity()],
    ["a process of another machine", identity({ host: "elsewhere", pid: 1 })],
    ["something unreadable", "garbage"],
    ["an identity without a token", JSON.stringify(ownIdentity())],
  ])("R-12 waits for %s, and leaves its lock alone", async (_, holder) => {
    const folder = temporaryFolder({ "a.lock": holder });
    const file = join(folder, "a.lock");
    let waits = 0;
    const onWait = () => waits++;
    expect((await waitForLock(file, { patienceMs: 50, onWait })).ok).toBe(false);
    expect(waits).toBe(1);
    expect(waitForLockSync(file, 20).ok).toBe(false);
    expect(readFileSync(file, "utf8")).toBe(holder);
    expect(readdirSync(folder)).toEqual(["a.lock"]);
  });

  it("R-12 planted locks that lead to each other are held, not followed for ever", () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const dead = (token: string) => ({ ...(JSON.parse(endedProcess()) as object), token });
    const folder = temporaryFolder({
      "a.lock": JSON.stringify(dead(one)),
      [`a.lock.after-${one}`]: JSON.stringify(dead(other)),
      [`a.lock.after-${other}`]: JSON.stringify(dead(one)),
    });
    expect(takeLock(join(folder, "a.lock"))).toMatchObject({ ok: false });
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it("R-12 a state file says who holds it and what to do", () => {
    const folder = temporaryFolder({ "a.json.lock": identity() });
    expect(() => withStateLock(join(folder, "a.json"), () => "done", 20)).toThrow(
      expect.objectContaining({
        code: "locked",
        hint: expect.stringContaining("a.json.lock") as string,
      }) as Error,
    );
  });

  it("R-12 a state file is unlocked when the work fails", () => {
    const folder = temporaryFolder();
    const fail = () => withStateLock(join(folder, "a.json"), () => JSON.parse("{") as unknown);
    expect(fail).toThrow(SyntaxError);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("R-12 of many who try for a dead lock, one wins at a time", async () => {
    const folder = temporaryFolder({ "a.lock": endedProcess() });
    const file = join(folder, "a.lock");
    let inside = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 12 }, async () => {
        const lock = await waitForLock(file, { patienceMs: 60_000 });
        if (!lock.ok) throw new Error("not taken");
        most = Math.max(most, ++inside);
        await setImmediate();
        inside--;
        lock.release();
      }),
    );
    expect(most).toBe(1);
  });

  it("R-12 does not take another process with the same number for the holder", () => {
    const self = ownIdentity();
    expect(hasProcessEnded(self)).toBe(false);
    expect(hasProcessEnded({ ...self, host: `not-${hostname()}` })).toBe(false);
    expect(hasProcessEnded({ ...self, namespace: "pid:[1]" })).toBe(false);
    if (self.started === "") return;
    expect(hasProcessEnded({ ...self, started: "1" })).toBe(true);
    expect(hasProcessEnded({ ...self, boot: "another" })).toBe(true);
  });
});
