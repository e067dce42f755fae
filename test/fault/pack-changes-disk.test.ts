import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChangeStep, openRoot } from "../../packages/packs/src/change/index.ts";
import {
  bundleChanges,
  change,
  CHANGE_BODY,
  changeArgs,
  changeWorld,
  expectedTree,
  lockText,
  open,
  runChild,
  settings,
  type Skills,
  tree,
} from "./pack-changes-world.ts";

let bundle = "";
beforeAll(async () => {
  bundle = await bundleChanges();
});
afterAll(() => rmSync(dirname(bundle), { recursive: true, force: true }));

const BEFORE: Skills = { pdf: 1, "old/one": 1 };
const CHANGES: Skills = { pdf: 2, "old/one": undefined, "acme/xls": 1 };
const AFTER: Skills = { pdf: 2, "acme/xls": 1 };

async function prepared() {
  const world = changeWorld();
  const root = await open(world);
  await change(root, "first", BEFORE, BEFORE);
  root.close();
  return world;
}

const isOf = ({ step, when }: ChangeStep) => `${step} ${when}`;

async function allSteps(): Promise<ChangeStep[]> {
  const steps: ChangeStep[] = [];
  const root = await open(await prepared(), { onStep: (step) => void steps.push(step) });
  await change(root, "second", CHANGES, AFTER);
  root.close();
  return steps;
}

describe("a disk that fails at a step", () => {
  it.each(["ENOSPC", "EIO"])(
    "K-02 %s before the journal leaves the old, after it the next finishes",
    async (code) => {
      const steps = await allSteps();
      const decided = steps.findIndex((step) => isOf(step) === "write-journal after");
      expect(decided).toBeGreaterThan(2);
      for (const [failing, step] of steps.entries()) {
        const world = await prepared();
        let seen = 0;
        const onStep = () => {
          if (seen++ === failing) throw Object.assign(new Error(`${code}: it fails`), { code });
        };
        const root = await open(world, { onStep });
        const result = await change(root, "second", CHANGES, AFTER);
        expect(result, isOf(step)).toMatchObject({ ok: false, code: "root-unwritable" });
        expect(result).toHaveProperty("message", expect.stringContaining(`${code}: it fails`));
        const isDecided = failing >= decided;
        const hint = result.ok ? "" : (result.hint ?? "");
        expect(hint.includes("finishes it")).toBe(isDecided);
        const now = tree(world.scope.root, ".skillwright");
        expect(isDecided || isDeepStrictEqual(now, expectedTree(BEFORE)), isOf(step)).toBe(true);
        expect(Object.keys(now), "no skill is missing").toContain("pdf/SKILL.md");
        root.close();
        (await open(world)).close();
        const expected = isDecided ? AFTER : BEFORE;
        expect(tree(world.scope.root, ".skillwright"), isOf(step)).toEqual(expectedTree(expected));
        expect(readFileSync(world.scope.lockFile, "utf8")).toBe(lockText(expected));
        expect(readdirSync(join(world.scope.root, ".skillwright/staging"))).toEqual([]);
        expect(readdirSync(join(world.scope.base, ".agent")).sort()).toEqual([
          "skills",
          "skills.lock.json",
        ]);
      }
    },
  );

  it("K-02 a change that is not finished is finished before the next on the same root", async () => {
    const world = await prepared();
    let isBroken = true;
    const onStep = (step: ChangeStep) => {
      if (isBroken && isOf(step) === "place before")
        throw Object.assign(new Error("EIO"), { code: "EIO" });
    };
    const root = await open(world, { onStep });
    expect(await change(root, "second", CHANGES, AFTER)).toMatchObject({ ok: false });
    expect(await change(root, "third", { csv: 1 }, { csv: 1 })).toMatchObject({ ok: false });
    isBroken = false;
    const all = { ...AFTER, csv: 1 };
    expect(await change(root, "third", { csv: 1 }, all)).toMatchObject({ ok: true });
    root.close();
    expect(tree(world.scope.root, ".skillwright")).toEqual(expectedTree(all));
  });
});

const canMount = spawnSync("unshare", ["-m", "true"]).status === 0;
const inMounts = (script: string) => ["unshare", "-m", "sh", "-c", `${script} && exec "$@"`, "sh"];

describe.runIf(canMount)("a disk that is full", () => {
  it("K-02 when staging or applying: refused, and the old is there", async () => {
    const world = changeWorld();
    mkdirSync(world.scope.root, { recursive: true });
    const mount = `mount -t tmpfs -o size=256k,nr_inodes=200 none '${world.scope.base}'`;
    const body = `const { existsSync, readFileSync, readdirSync, rmSync } = await import("node:fs");
      const say = (value) => console.log(JSON.stringify(value));
      const place = async (version, fill) => {
        const root = await opened({ onStep: undefined });
        const staging = root.stagingFolder();
        write(join(staging, "x"), { "SKILL.md": version, "b.md": version });
        let number = 0;
        if (fill) try { for (;;) writeFileSync(join(scope.base, "fill" + number++), "x".repeat(4096)); } catch {}
        const result = await root.apply({
          title: version, moves: [{ folder: "pdf", staged: join(staging, "x") }], lock: version.repeat(3000),
        });
        root.close();
        say([result.ok ? "ok" : result.code, readFileSync(join(scope.root, "pdf/SKILL.md"), "utf8"),
          readFileSync(scope.lockFile, "utf8").slice(0, 1), existsSync(join(scope.root, ".skillwright/journal.json"))]);
        while (number-- > 0) rmSync(join(scope.base, "fill" + number), { force: true });
      };
      await place("1", false);
      await place("2", true);
      await place("3", false);`;
    const { stdout, stderr } = await runChild(bundle, world, body, { wrapper: inMounts(mount) });
    expect(stderr).toBe("");
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      ["ok", "1", "1", false],
      ["root-unwritable", "1", "1", false],
      ["ok", "3", "3", false],
    ]);
  });
});

describe("a target that cannot be written", () => {
  it.runIf(canMount)("K-02 on a read-only file system is said; nothing is changed", async () => {
    const world = await prepared();
    const before = tree(world.scope.base);
    const { base } = world.scope;
    const wrapper = inMounts(
      `mount --bind '${base}' '${base}' && mount -o remount,ro,bind '${base}'`,
    );
    const args = changeArgs("second", CHANGES, AFTER);
    const { stderr, code } = await runChild(bundle, world, CHANGE_BODY, { wrapper, args });
    expect(code).toBe(9);
    expect(JSON.parse(stderr)).toMatchObject({
      code: "root-unwritable",
      hint: expect.stringContaining("read-only"),
    });
    expect(tree(base)).toEqual(before);
  });

  it("K-02 below a file is said; nothing is changed", async () => {
    const world = changeWorld();
    writeFileSync(join(world.scope.base, ".agent"), "a file");
    const { stateDirectory } = world;
    expect(await openRoot(world.scope, { ...settings(), stateDirectory })).toMatchObject({
      ok: false,
      code: "root-unwritable",
      message: expect.stringContaining("not a folder"),
    });
    expect(tree(world.scope.base)).toEqual({ ".agent": "a file", "README.md": "mine" });
  });

  it("K-02 a home where no key can be kept is said, before anything is made", async () => {
    const world = changeWorld();
    const stateDirectory = join(world.scope.base, "README.md");
    const result = await openRoot(world.scope, { ...settings(), stateDirectory });
    expect(result).toMatchObject({ ok: false, code: "root-unwritable" });
    expect(existsSync(world.scope.root)).toBe(false);
  });

  it("K-02 a key that others may read is not used", async () => {
    const world = await prepared();
    chmodSync(join(world.stateDirectory, "packs/key"), 0o644);
    const { scope, stateDirectory } = world;
    const result = await openRoot(scope, { ...settings(), stateDirectory });
    expect(result).toMatchObject({ ok: false, code: "root-unwritable" });
    expect(result).toHaveProperty("message", expect.stringContaining("others may read it"));
  });

  it.runIf(canMount)(
    "K-02 a skill's folder that is a mount cannot be moved: nothing is decided",
    async () => {
      const world = await prepared();
      const wrapper = inMounts(`mount -t tmpfs none '${join(world.scope.root, "pdf")}'`);
      const args = changeArgs("second", CHANGES, AFTER);
      const { stderr } = await runChild(bundle, world, CHANGE_BODY, { wrapper, args });
      expect(JSON.parse(stderr)).toMatchObject({ code: "root-unwritable" });
      expect(stderr).toContain("another file system");
      expect(tree(world.scope.root, ".skillwright")).toEqual(expectedTree(BEFORE));
    },
  );
});

describe("cancelling", () => {
  it("K-02 at every step: the old before the journal, the new after it", async () => {
    const steps = await allSteps();
    const decided = steps.findIndex((step) => isOf(step) === "write-journal between");
    for (const canceledAt of steps.keys()) {
      const world = await prepared();
      const controller = new AbortController();
      let seen = 0;
      const onStep = () => {
        if (seen++ === canceledAt) controller.abort();
      };
      const root = await open(world, { onStep, signal: controller.signal });
      const result = await change(root, "second", CHANGES, AFTER);
      root.close();
      // What is asked while the journal is being written comes too late.
      const isDone = canceledAt >= decided - 1;
      expect(result).toMatchObject(isDone ? { ok: true } : { ok: false, code: "canceled" });
      const expected = isDone ? AFTER : BEFORE;
      expect(tree(world.scope.root, ".skillwright")).toEqual(expectedTree(expected));
      expect(readdirSync(join(world.scope.root, ".skillwright/staging"))).toEqual([]);
    }
  });
});
