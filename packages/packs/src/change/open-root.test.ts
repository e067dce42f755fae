import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { skillDigest } from "@skillwright/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  change,
  changeWorld,
  expectedTree,
  lockText,
  open,
  type Skills,
  tree,
} from "../../../../test/fault/pack-changes-world.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { listChanges } from "../index.ts";
import {
  folderMark,
  folderNameProblem,
  openRoot,
  overlap,
  pruneBackups,
  undoChange,
} from "./index.ts";

const STATE = ".skillwright";

describe("openRoot", () => {
  it("K-02 keeps its state private and out of git", async () => {
    const world = changeWorld();
    mkdirSync(world.scope.root, { recursive: true });
    const root = await open(world);
    const state = join(world.scope.root, STATE);
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(state, ".gitignore"), "utf8")).toBe("*\n");
    expect(statSync(join(world.stateDirectory, "packs/key")).mode & 0o777).toBe(0o600);
    const staging = root.stagingFolder();
    expect(root.stagingFolder()).not.toBe(staging);
    root.close();
    root.close();
    expect(existsSync(staging)).toBe(false);
    chmodSync(state, 0o755);
    writeFileSync(join(state, ".gitignore"), "!*");
    (await open(world)).close();
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(state, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("K-02 takes no change that must not have been asked for", async () => {
    const world = changeWorld();
    mkdirSync(world.scope.root, { recursive: true });
    const root = await open(world);
    const staged = join(root.stagingFolder(), "x");
    const apply = (folder: string, from = staged) =>
      root.apply({ title: "x", moves: [{ folder, staged: from }] });
    await expect(apply("x")).rejects.toThrow(/neither a folder nor a link/);
    mkdirSync(staged);
    for (const folder of ["../x", ".skillwright/x", "/x", "a//b", "", ".."]) {
      await expect(apply(folder), folder).rejects.toThrow(/cannot be placed/);
    }
    for (const from of [world.folder, join(world.scope.root, STATE, "lock"), "/"]) {
      await expect(apply("x", from), from).rejects.toThrow(/not a staged folder/);
    }
    const moves = [{ folder: "acme/pdf" }, { folder: "Acme" }];
    expect(await root.apply({ title: "x", moves })).toMatchObject({ code: "name-taken" });
    root.close();
    await expect(apply("x")).rejects.toThrow(/while it is open/);
    expect(tree(world.scope.root, STATE)).toEqual({});
  });

  it("K-02 says what became of each folder, and leaves a lock that is not named as it is", async () => {
    const world = changeWorld();
    const root = await open(world);
    await change(root, "first", { pdf: 1 }, { pdf: 1 });
    const source = temporaryFolder({ "SKILL.md": "linked" });
    const staged = join(root.stagingFolder(), "link");
    symlinkSync(source, staged);
    const moves = [{ folder: "pdf", staged }, { folder: "none" }];
    expect(await root.apply({ title: "link", moves, sharedLock: null })).toMatchObject({
      ok: true,
      title: "link",
      folders: [
        { folder: "pdf", status: "replaced" },
        { folder: "none", status: "unchanged" },
      ],
    });
    expect(tree(world.scope.root, STATE)).toEqual({ pdf: `link to ${source}` });
    expect(readFileSync(world.scope.lockFile, "utf8")).toBe(lockText({ pdf: 1 }));
    expect(existsSync(world.scope.sharedLockFile!)).toBe(false);
    await undoChange(root);
    root.close();
    expect(tree(world.scope.root, STATE)).toEqual(expectedTree({ pdf: 1 }));
    expect(readFileSync(world.scope.sharedLockFile!, "utf8")).toBe(lockText({ pdf: 1 }));
  });
});

describe("undoChange", () => {
  it("K-03 takes the last change back, and undo of undo does it again", async () => {
    const world = changeWorld();
    const root = await open(world);
    expect(await undoChange(root)).toMatchObject({ ok: false, code: "nothing-to-undo" });
    const before = { pdf: 1, "acme/one": 1 };
    const after = { pdf: 2, xls: 1 };
    await change(root, "first", before, before);
    await change(root, "second", { ...after, "acme/one": undefined }, after);
    const now = () => [tree(world.scope.root, STATE), readFileSync(world.scope.lockFile, "utf8")];
    const titles = ["undo second", "redo second", "undo second"];
    const undid = ["second", "undo second", "redo second"];
    for (const [round, title] of titles.entries()) {
      const redo = round % 2 === 1;
      const options = { redo };
      expect(await undoChange(root, options)).toMatchObject({
        ok: true,
        title,
        undid: undid[round],
      });
      const expected = round % 2 === 0 ? before : after;
      expect(now()).toEqual([expectedTree(expected), lockText(expected)]);
    }
    root.close();
    const { scope, stateDirectory } = world;
    const listed = listChanges(scope, { stateDirectory });
    expect(listed.ok && listed.changes.map(({ title }) => title)).toEqual([
      "undo second",
      "redo second",
      "undo second",
      "second",
      "first",
    ]);
  });

  it("K-03 goes back change by change, and forward again until something else is done", async () => {
    const world = changeWorld();
    const root = await open(world);
    for (const version of [1, 2, 3])
      await change(root, `v${version}`, { pdf: version }, { pdf: version });
    const now = () => tree(world.scope.root, STATE);
    for (const version of [2, 1]) {
      expect(await undoChange(root)).toMatchObject({ ok: true, undid: `v${version + 1}` });
      expect(now()).toEqual(expectedTree({ pdf: version }));
    }
    for (const version of [2, 3]) {
      expect(await undoChange(root, { redo: true })).toMatchObject({ ok: true });
      expect(now()).toEqual(expectedTree({ pdf: version }));
    }
    expect(await undoChange(root, { redo: true })).toMatchObject({ code: "nothing-to-undo" });
    for (let count = 0; count < 3; count++) expect((await undoChange(root)).ok).toBe(true);
    expect(await undoChange(root)).toMatchObject({ code: "nothing-to-undo" });
    await change(root, "v9", { pdf: 9 }, { pdf: 9 });
    expect(await undoChange(root, { redo: true })).toMatchObject({ code: "nothing-to-undo" });
    const { scope, stateDirectory } = world;
    const listed = listChanges(scope, { stateDirectory });
    const inEffect = listed.ok ? listed.changes.filter((one) => one.inEffect) : [];
    expect(inEffect.map(({ title }) => title)).toEqual(["v9"]);
    root.close();
  });

  it("K-03 refuses to lose edits, unless forced, and then keeps them", async () => {
    const world = changeWorld();
    const root = await open(world);
    await change(root, "first", { pdf: 1 }, { pdf: 1 });
    const file = join(world.scope.root, "pdf/SKILL.md");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, "edited");
    writeFileSync(world.scope.lockFile, "merged");
    expect(await undoChange(root)).toMatchObject({
      code: "local-edits",
      candidates: ["pdf", world.scope.lockFile],
    });
    expect(readFileSync(file, "utf8")).toBe("edited");
    expect(await undoChange(root, { force: true })).toMatchObject({ ok: true, undid: "first" });
    expect(existsSync(join(world.scope.root, "pdf"))).toBe(false);
    expect(existsSync(world.scope.lockFile)).toBe(false);
    expect(await undoChange(root, { redo: true })).toMatchObject({ ok: true });
    expect([readFileSync(file, "utf8"), readFileSync(world.scope.lockFile, "utf8")]).toEqual([
      "edited",
      "merged",
    ]);
    expect(text).not.toBe("edited");
    rmSync(join(world.scope.root, "pdf"), { recursive: true });
    expect(await undoChange(root)).toMatchObject({ code: "local-edits", candidates: ["pdf"] });
    root.close();
  });

  it("K-03 restores anything that stood there: links, empty folders, what cannot be digested", async () => {
    const world = changeWorld();
    mkdirSync(join(world.scope.root, "pdf/empty"), { recursive: true });
    symlinkSync("/nowhere", join(world.scope.root, "pdf/link"));
    writeFileSync(join(world.scope.root, "csv"), "a file");
    const root = await open(world);
    await change(root, "first", { pdf: 1, csv: 1 }, {});
    expect(await undoChange(root)).toMatchObject({ ok: true });
    root.close();
    expect(tree(world.scope.root, STATE)).toEqual({
      "pdf/link": "link to /nowhere",
      csv: "a file",
    });
    expect(existsSync(join(world.scope.root, "pdf/empty"))).toBe(true);
  });

  it("K-03 any changes, each taken back, leave what was there before", async () => {
    const folders = ["a", "b", "ns/a", "ns/b", "ns/deep/c"] as const;
    const version = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });
    const skills = fc.dictionary(fc.constantFrom(...folders), version);
    await fc.assert(
      fc.asyncProperty(fc.array(skills, { minLength: 1, maxLength: 4 }), async (list) => {
        const world = changeWorld();
        const root = await open(world);
        let all: Skills = {};
        for (const changes of list) {
          const before = expectedTree(all);
          all = { ...all, ...changes };
          expect(await change(root, "change", changes, all)).toMatchObject({ ok: true });
          expect(tree(world.scope.root, STATE)).toEqual(expectedTree(all));
          expect(await undoChange(root)).toMatchObject({ ok: true });
          expect(tree(world.scope.root, STATE)).toEqual(before);
          expect(await undoChange(root, { redo: true })).toMatchObject({ ok: true });
          expect(tree(world.scope.root, STATE)).toEqual(expectedTree(all));
        }
        root.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe("pruneBackups", () => {
  it("K-03 keeps the last changes, and removes what nothing names", async () => {
    const world = changeWorld();
    const state = join(world.scope.root, STATE);
    const root = await open(world);
    for (let version = 1; version <= 4; version++) {
      await change(root, `v${version}`, { pdf: version }, { pdf: version });
    }
    for (const folder of [
      "refused-x-journal.json",
      "backups/orphan",
      "pristine/used",
      "pristine/old",
    ]) {
      mkdirSync(join(state, folder), { recursive: true });
    }
    const isPristineNamed = (name: string) => name === "used";
    const pruned = await pruneBackups(root, { keep: 2, isPristineNamed });
    expect(pruned.ok && pruned.removed.map((path) => path.replace(/id\d+-\d+/, "ID"))).toEqual([
      "history/00000002-ID.json",
      "history/00000001-ID.json",
      "backups/ID",
      "backups/ID",
      "backups/orphan",
      "refused-x-journal.json",
      "pristine/old",
    ]);
    const { scope, stateDirectory } = world;
    const listed = listChanges(scope, { stateDirectory });
    expect(listed.ok && listed.changes.map(({ title }) => title)).toEqual(["v4", "v3"]);
    expect(await pruneBackups(root, { keep: 0 })).toMatchObject({ ok: true });
    expect(await undoChange(root)).toMatchObject({ code: "nothing-to-undo" });
    await change(root, "v5", { pdf: 5 }, { pdf: 5 });
    expect(await undoChange(root)).toMatchObject({ ok: true, undid: "v5" });
    expect(tree(world.scope.root, STATE)).toEqual(expectedTree({ pdf: 4 }));
    root.close();
  });
});

describe("folderMark", () => {
  it("K-02 is the digest of a plain skill, and tells what that cannot", async () => {
    const folder = temporaryFolder({ "SKILL.md": "x", "é/ß.md": "y", "a/b": "" });
    const mark = await folderMark(folder);
    expect(mark).toBe(await skillDigest(folder));
    symlinkSync("SKILL.md", join(folder, "link"));
    const linked = await folderMark(folder);
    rmSync(join(folder, "link"));
    symlinkSync("a", join(folder, "link"));
    expect(new Set([mark, linked, await folderMark(folder)]).size).toBe(3);
    expect(await folderMark(join(folder, "link"))).toBe("link:a");
    expect(await folderMark(join(folder, "none"))).toBeNull();
  });
});

describe("folder names", () => {
  it("K-05 that could lead elsewhere are refused", () => {
    const bad = [
      "..",
      ".",
      "",
      "a/../b",
      "/a",
      "a/",
      "a\\b",
      "C:",
      "a\0",
      ".git",
      "a.",
      "a ",
      "x".repeat(256),
    ];
    for (const folder of bad) expect(folderNameProblem(folder), folder).toBeTypeOf("string");
    for (const folder of ["a", "acme/pdf-tools", "ü", "a.b"]) {
      expect(folderNameProblem(folder), folder).toBeUndefined();
    }
  });

  it("K-05 that are the same on some file system are found", () => {
    expect(overlap(["a", "A"])).toEqual(["a", "A"]);
    expect(overlap(["\u00e9", "e\u0301"])).toEqual(["\u00e9", "e\u0301"]);
    expect(overlap(["a/b/c", "A"])).toEqual(["A", "a/b/c"]);
    expect(overlap(["a/b", "a/c", "ab"])).toBeUndefined();
  });
});

it("K-02 a root that was made for nothing goes again, with the folders above it", async () => {
  const base = temporaryFolder({ "other.txt": "" });
  const root = join(base, ".agent/skills");
  const scope = { label: "project", base, root, lockFile: join(base, ".agent/skills.lock.json") };
  const stateDirectory = temporaryFolder();
  const opened = await openRoot(scope, { clock: Date.now, ids: randomUUID, stateDirectory });
  if (!opened.ok) throw new Error(opened.message);
  opened.root.stagingFolder();
  opened.root.close();
  expect(readdirSync(base)).toEqual(["other.txt"]);
});
