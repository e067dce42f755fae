import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ownIdentity, takeLock } from "@skillwright/core/internal";
import { openRoot } from "../../packages/packs/src/change/index.ts";
import { listChanges } from "../../packages/packs/src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import {
  bundleChanges,
  change,
  changeWorld,
  expectedTree,
  open,
  runChild,
  settings,
  tree,
} from "./pack-changes-world.ts";

let bundle = "";
beforeAll(async () => {
  bundle = await bundleChanges();
});
afterAll(() => rmSync(dirname(bundle), { recursive: true, force: true }));

const TOKEN = "00000000-0000-4000-8000-000000000000";
const NO_PROCESS = 2 ** 22 + 1;
const thisHolder = (token: string) => ({ ...ownIdentity(), token });

describe("several processes at once", () => {
  it("K-02 all finish, one after the other, and none is lost, also when some are killed", async () => {
    const world = changeWorld();
    const body = `const { readFileSync } = await import("node:fs");
      for (let number = 0; number < 5; number++) {
        const root = await opened({ onStep: undefined });
        let skills = {};
        try { skills = JSON.parse(readFileSync(scope.lockFile, "utf8")); } catch {}
        const folder = args.name + number;
        const staging = root.stagingFolder();
        write(join(staging, "x"), { "SKILL.md": folder });
        const lock = JSON.stringify({ ...skills, [folder]: 1 });
        const result = await root.apply({ title: folder, moves: [{ folder, staged: join(staging, "x") }], lock });
        if (!result.ok) console.error(JSON.stringify(result));
        if (args.isKilled) process.kill(process.pid, "SIGKILL");
        root.close();
      }`;
    const names = ["a", "b", "c", "d", "e", "f"];
    const all = await Promise.all(
      names.map((name) => runChild(bundle, world, body, { args: { name, isKilled: name > "d" } })),
    );
    expect(all.map(({ stderr }) => stderr).join("")).toBe("");
    const lock = JSON.parse(readFileSync(world.scope.lockFile, "utf8")) as object;
    const whole = names
      .slice(0, 4)
      .flatMap((name) => [0, 1, 2, 3, 4].map((digit) => `${name}${digit}`));
    const expected = [...whole, "e0", "f0"].sort();
    expect(Object.keys(lock).sort()).toEqual(expected);
    expect(Object.keys(tree(world.scope.root, ".skillwright")).sort()).toEqual(
      expected.map((name) => `${name}/SKILL.md`),
    );
    const listed = listChanges(world.scope, { stateDirectory: world.stateDirectory });
    expect(listed.ok && listed.changes).toHaveLength(expected.length);
    (await open(world)).close();
    const left = readdirSync(join(world.scope.root, ".skillwright")).sort();
    expect(left).toEqual([".gitignore", "backups", "history", "staging"]);
  });

  it("K-02 within one process they wait for each other too", async () => {
    const world = changeWorld();
    const skills: Record<string, number> = {};
    await Promise.all(
      ["a", "b", "c"].map(async (name) => {
        const root = await open(world);
        skills[name] = 1;
        await change(root, name, { [name]: 1 }, skills);
        root.close();
      }),
    );
    expect(tree(world.scope.root, ".skillwright")).toEqual(expectedTree({ a: 1, b: 1, c: 1 }));
  });

  it("K-02 one that does not end is named, after waiting", async () => {
    const world = changeWorld();
    const holder = await open(world);
    const waited: unknown[] = [];
    const options = { ...settings(), stateDirectory: world.stateDirectory, patienceMs: 60 };
    const result = await openRoot(world.scope, { ...options, onWait: (pid) => waited.push(pid) });
    expect(result).toMatchObject({ ok: false, code: "root-busy" });
    expect(result).toHaveProperty("message", expect.stringContaining(`process ${process.pid}`));
    expect(waited).toEqual([process.pid]);
    const cancel = new AbortController();
    const canceled = openRoot(world.scope, {
      ...options,
      patienceMs: 60_000,
      signal: cancel.signal,
      onWait: () => cancel.abort(),
    });
    expect(await canceled).toMatchObject({ ok: false, code: "canceled" });
    holder.close();
    (await open(world)).close();
  });
});

describe.runIf(process.platform === "linux")("a lock whose holder is gone", () => {
  const stale: readonly (readonly [string, object])[] = [
    ["a process that is no more", { pid: NO_PROCESS }],
    ["a process whose number another has now", { started: "1" }],
    ["before a restart", { boot: "another" }],
  ];
  it.each(stale)("K-02 %s is taken over", (_, changes) => {
    const folder = temporaryFolder({ lock: JSON.stringify({ ...thisHolder(TOKEN), ...changes }) });
    const lock = takeLock(join(folder, "lock"));
    expect(lock.ok).toBe(true);
    expect(takeLock(join(folder, "lock"))).toMatchObject({
      ok: false,
      holder: { pid: process.pid },
    });
    if (lock.ok) lock.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("K-02 and whose successor is gone too, before it took over", () => {
    const dead = (token: string) => JSON.stringify({ ...thisHolder(token), pid: NO_PROCESS });
    const other = TOKEN.replace("4", "5");
    const folder = temporaryFolder({ lock: dead(TOKEN), [`lock.after-${TOKEN}`]: dead(other) });
    const lock = takeLock(join(folder, "lock"));
    expect(lock.ok).toBe(true);
    expect(readdirSync(folder)).toEqual(["lock"]);
  });

  const held: readonly (readonly [string, object])[] = [
    ["this process", {}],
    ["another machine", { host: "another", pid: NO_PROCESS }],
    ["a namespace that cannot be seen", { namespace: "pid:[1]", pid: NO_PROCESS }],
  ];
  it.each(held)("K-02 %s is still held", (_, changes) => {
    const folder = temporaryFolder({ lock: JSON.stringify({ ...thisHolder(TOKEN), ...changes }) });
    expect(takeLock(join(folder, "lock"))).toMatchObject({ ok: false });
    expect(readdirSync(folder)).toEqual(["lock"]);
  });

  it("K-02 is taken over by one of many who try at once", async () => {
    const world = changeWorld();
    const state = join(world.scope.root, ".skillwright");
    const marks = join(world.folder, "inside");
    const body = `const { readdirSync, rmSync } = await import("node:fs");
      while (Date.now() < args.at);
      for (let round = 0; round < 40; round++) {
        const root = await opened({ onStep: undefined });
        const mark = join(args.marks, String(process.pid));
        writeFileSync(mark, "");
        if (readdirSync(args.marks).length !== 1) console.error("two at once");
        rmSync(mark);
        if (round === args.dies) process.kill(process.pid, "SIGKILL");
        root.close();
      }`;
    mkdirSync(state, { recursive: true });
    mkdirSync(marks);
    writeFileSync(join(state, "lock"), JSON.stringify({ ...thisHolder(TOKEN), pid: NO_PROCESS }));
    const at = Date.now() + 700;
    const all = await Promise.all(
      [5, 11, 40, 40, 40].map((dies) =>
        runChild(bundle, world, body, { args: { at, marks, dies } }),
      ),
    );
    expect(all.map(({ stderr }) => stderr).join("")).toBe("");
    expect(all.map(({ signal }) => signal)).toEqual(["SIGKILL", "SIGKILL", null, null, null]);
  });
});
