import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { installSkills, uninstallSkills, updateSkills, verifyInstalled } from "@skillwright/packs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundlePacks, type PackCommand, runPackCommand } from "../support/pack-install-child.ts";
import { done, PackWorld, refused, treeOf } from "../support/pack-world.ts";

let bundle = "";
beforeAll(async () => {
  bundle = await bundlePacks();
}, 300_000);
afterAll(() => rmSync(dirname(bundle), { recursive: true, force: true }));

/** A project with two skills, a new version of them, and another pack. */
async function prepared(): Promise<PackWorld> {
  const world = new PackWorld();
  world.skills("pack", { dates: { "a.md": "1\n2\n3\n4\n5\n" }, times: { "b.md": "b" } });
  done(await installSkills("./pack", { ...world.session, all: true }));
  world.write({ "pack/dates/a.md": "1\n2\n3\n4\nFIVE\n", "pack/times/c.md": "new" });
  writeFileSync(join(world.scope.root, "dates/a.md"), "ONE\n2\n3\n4\n5\n");
  world.skills("more", { zones: { "z.md": "z" }, yards: {}, xrays: {} });
  return world;
}

const COMMANDS: Readonly<Record<string, PackCommand>> = {
  install: { call: "installSkills", source: "./more", options: { all: true } },
  update: { call: "updateSkills" },
  uninstall: { call: "uninstallSkills", options: { names: ["dates", "times"] } },
};

const run = (world: PackWorld, { call, source, options }: PackCommand, more: object = {}) => {
  const session = { ...world.session, ...options, ...more };
  if (call === "installSkills") return installSkills(source!, session);
  if (call === "updateSkills") return updateSkills(session);
  return uninstallSkills({ names: [], ...session });
};

function staged({ scope }: PackWorld): string[] {
  return readdirSync(join(scope.root, ".skillwright/staging"));
}

describe.each(Object.entries(COMMANDS))("a disk that fails during %s", (_, command) => {
  it("K-02 at any step: the old state, or the next finishes", async () => {
    const code = "ENOSPC";
    const steps: string[] = [];
    const whole = await prepared();
    const old = whole.project;
    done(
      await run(whole, command, {
        onStep: ({ step, when }: Record<string, string>) => void steps.push(`${step} ${when}`),
      }),
    );
    const after = whole.project;
    const decided = steps.indexOf("write-journal after");
    for (const failing of steps.keys()) {
      const world = await prepared();
      let seen = 0;
      const onStep = () => {
        if (seen++ === failing) throw Object.assign(new Error(`${code}: it fails`), { code });
      };
      const failure = refused(await run(world, command, { onStep }));
      expect(failure).toMatchObject({ code: "root-unwritable" });
      const isOld = isDeepStrictEqual(world.project, old);
      expect(isOld || failing >= decided, steps[failing]).toBe(true);
      // Whatever comes next, be it refused itself.
      refused(await uninstallSkills({ ...world.session, names: ["nobody"] }));
      expect(world.project, steps[failing]).toEqual(failing < decided ? old : after);
      expect(staged(world)).toEqual([]);
    }
  }, 300_000);
});

describe.each(Object.entries(COMMANDS))("cancelling %s", (_, command) => {
  it("K-02 by signal at each progress and each step: the old, or what was decided", async () => {
    const steps: string[] = [];
    let progress = 0;
    const whole = await prepared();
    const old = whole.project;
    done(
      await run(whole, command, {
        onStep: ({ step, when }: Record<string, string>) => void steps.push(`${step} ${when}`),
        onProgress: () => void progress++,
      }),
    );
    const after = whole.project;
    const before = await prepared();
    const signal = AbortSignal.abort();
    expect(refused(await run(before, command, { signal })).code).toBe("canceled");
    expect(before.project).toEqual(old);
    for (let at = 0; at < progress; at++) {
      const world = await prepared();
      const controller = new AbortController();
      let seen = 0;
      const onProgress = () => {
        if (seen++ === at) controller.abort();
      };
      const result = await run(world, command, { onProgress, signal: controller.signal });
      expect(refused(result).code, `at progress ${at}`).toBe("canceled");
      expect(world.project).toEqual(old);
      expect(staged(world)).toEqual([]);
    }
    const decided = steps.indexOf("write-journal before");
    for (const at of steps.keys()) {
      const world = await prepared();
      const controller = new AbortController();
      let seen = 0;
      const onStep = () => {
        if (seen++ === at) controller.abort();
      };
      const result = await run(world, command, { onStep, signal: controller.signal });
      const isDone = at >= decided;
      expect(result, steps[at]).toMatchObject(
        isDone ? { ok: true } : { ok: false, code: "canceled" },
      );
      expect(world.project, steps[at]).toEqual(isDone ? after : old);
      expect(staged(world)).toEqual([]);
    }
  }, 300_000);
});

const canMount = spawnSync("unshare", ["-m", "true"]).status === 0;
const inMounts = (script: string) => ["unshare", "-m", "sh", "-c", `${script} && exec "$@"`, "sh"];

describe.runIf(canMount)("a disk that is full", () => {
  it.each<[number, boolean | undefined]>([
    [40, false],
    [72, undefined],
    [96, undefined],
    [128, undefined],
    [160, undefined],
    [2000, true],
  ])("K-02 with %i KiB: all of it or none, and refused as a value", async (kibibytes, expected) => {
    const world = new PackWorld();
    world.skills("first", { dates: {} });
    const text = "line of text\n".repeat(700);
    world.skills("more", { zones: { "z.md": text, "y.md": text }, yards: { "x.md": text } });
    mkdirSync(world.scope.root, { recursive: true });
    const mount = `mount -t tmpfs -o size=${kibibytes}k none '${world.base}'`;
    const first = `
        const fs = await import("node:fs");
        const say = (value) => console.error(JSON.stringify(value));
        const quiet = { ...session, onStep: undefined };
        const one = await library.installSkills("./first", quiet);
        const tree = () => fs.readdirSync(scope.root).filter((name) => name[0] !== ".").sort();
        const lock = () => { try { return fs.readFileSync(scope.lockFile, "utf8"); } catch { return ""; } };
        const before = lock();
        const two = await library.installSkills("./more", { ...quiet, all: true });
        const verified = await library.verifyInstalled(scope);
        say({ one: one.ok || one.code, two: two.ok || two.code, tree: tree(), isSame: lock() === before,
          statuses: verified.skills.map(({ status }) => status),
          staging: fs.readdirSync(scope.root + "/.skillwright/staging") });
        process.exit(0);`;
    const ended = await runPackCommand(bundle, world, COMMANDS["install"]!, {
      wrapper: inMounts(mount),
      first,
    });
    const told = JSON.parse(ended.stderr) as Record<string, unknown>;
    const isInstalled = told["two"] === true;
    expect(["root-unwritable", true]).toContain(told["two"]);
    expect(isInstalled).toBe(expected ?? isInstalled);
    const skills = [
      ...(told["one"] === true ? ["dates"] : []),
      ...(isInstalled ? ["yards", "zones"] : []),
    ];
    expect(told).toMatchObject({
      tree: skills,
      statuses: skills.map(() => "ok"),
      isSame: !isInstalled,
      staging: [],
    });
  });
});

describe("a target that cannot be written", () => {
  it.runIf(canMount).each(Object.entries(COMMANDS))(
    "K-02 %s on a read-only file system is said; nothing is changed",
    async (_, command) => {
      const world = await prepared();
      const before = treeOf(world.base, { times: true });
      const { base } = world.scope;
      const wrapper = inMounts(
        `mount --bind '${base}' '${base}' && mount -o remount,ro,bind '${base}'`,
      );
      const { result } = await runPackCommand(bundle, world, command, { wrapper });
      expect(result).toMatchObject({
        ok: false,
        code: "root-unwritable",
        hint: expect.stringContaining("read-only"),
      });
      expect(treeOf(base, { times: true })).toEqual(before);
    },
  );

  it.runIf(process.getuid?.() !== 0)("K-02 without permission is said", async () => {
    const world = await prepared();
    chmodSync(world.scope.root, 0o555);
    expect(refused(await run(world, COMMANDS["install"]!)).code).toBe("root-unwritable");
    chmodSync(world.scope.root, 0o755);
  });

  it("K-02 a root below a file is said", async () => {
    const world = new PackWorld();
    world.skills("more", { zones: {} });
    world.write({ "project/.agent": "a file" });
    const before = treeOf(world.base, { times: true });
    for (const dryRun of [true, false]) {
      expect(refused(await installSkills("./more", { ...world.session, dryRun })).code).toBe(
        "root-unwritable",
      );
    }
    expect(treeOf(world.base, { times: true })).toEqual(before);
  });
});

describe("several processes at once", () => {
  it("K-02 all their installs are there, and one that is killed takes nothing from the others", async () => {
    const world = new PackWorld();
    const names = ["a", "b", "c", "d"].map((letter) => `skill-${letter}`);
    for (const name of names) world.skills(`from-${name}`, { [name]: { "x.md": name } });
    const ended = await Promise.all(
      names.map((name, index) =>
        runPackCommand(
          bundle,
          world,
          { call: "installSkills", source: `./from-${name}` },
          index === 3 ? { killAt: 4 } : {},
        ),
      ),
    );
    expect(ended.map(({ stderr }) => stderr).join("")).toBe("");
    expect(ended.slice(0, 3).map(({ result }) => result?.["ok"])).toEqual([true, true, true]);
    refused(await uninstallSkills({ ...world.session, names: ["nobody"] }));
    const verified = done(await verifyInstalled(world.scope));
    expect(verified.skills.every(({ status }) => status === "ok")).toBe(true);
    const there = verified.skills.map(({ name }) => name);
    expect(there.slice(0, 3)).toEqual(names.slice(0, 3));
    expect(staged(world)).toEqual([]);
  });
});
