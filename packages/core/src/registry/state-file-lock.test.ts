import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleCore, runInChild } from "../../../../test/support/core-child.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { hasHolderEnded, thisHolder } from "./state-file-holder.ts";
import { withStateLock } from "./state-file-lock.ts";
import { openSwitchStore } from "./switch-store.ts";
import { openTrustStore } from "./trust-store.ts";

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

describe("withStateLock", () => {
  const endedProcess = () => {
    const { pid } = spawnSync(process.execPath, ["-e", "0"]);
    return JSON.stringify({ ...(JSON.parse(thisHolder()) as object), pid });
  };

  it("R-12 passes a lock whose process has ended, and gives its own back", () => {
    const folder = temporaryFolder({ "a.json.lock": endedProcess() });
    const file = join(folder, "a.json");
    expect(withStateLock(file, () => readdirSync(folder).sort())).toEqual([
      "a.json.lock",
      "a.json.lock.1",
    ]);
    expect(readdirSync(folder)).toEqual(["a.json.lock"]);
  });

  it("R-12 does not pass one whose process may be running, and says what to do", () => {
    const folder = temporaryFolder();
    const file = join(folder, "a.json");
    for (const holder of [thisHolder(), '{ "pid": 1, "host": "elsewhere" }', "garbage"]) {
      writeFileSync(`${file}.lock`, holder);
      expect(() => withStateLock(file, () => "done", 20)).toThrow(
        expect.objectContaining({
          code: "locked",
          hint: expect.stringContaining("a.json.lock") as string,
        }) as Error,
      );
      expect(readFileSync(`${file}.lock`, "utf8")).toBe(holder);
    }
  });

  it("R-12 gives the lock back when the work fails", () => {
    const folder = temporaryFolder();
    const fail = () => withStateLock(join(folder, "a.json"), () => JSON.parse("{") as unknown);
    expect(fail).toThrow(SyntaxError);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("R-12 does not take another process with the same number for the holder", () => {
    const self = JSON.parse(thisHolder()) as Record<string, string>;
    expect(hasHolderEnded(thisHolder())).toBe(false);
    expect(hasHolderEnded(JSON.stringify({ ...self, host: `not-${hostname()}` }))).toBe(false);
    if (self["started"] === "") return;
    expect(hasHolderEnded(JSON.stringify({ ...self, started: "1" }))).toBe(true);
    expect(hasHolderEnded(JSON.stringify({ ...self, boot: "another" }))).toBe(true);
  });
});
