import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  JOURNAL,
  openRoot,
  openSigningKey,
  pruneBackups,
  signedText,
  undoChange,
} from "../../packages/packs/src/change/index.ts";
import { listChanges } from "../../packages/packs/src/index.ts";
import { writeTree } from "../support/skill-tree.ts";
import {
  change,
  changeWorld,
  type ChangeWorld,
  open,
  settings,
  tree,
} from "./pack-changes-world.ts";

const STATE = ".agent/skills/.skillwright";

/** A world that a person got from somebody else, with these files and links in the project. */
function hostile(
  files: Readonly<Record<string, string>>,
  links: Readonly<Record<string, string>> = {},
) {
  const world = changeWorld();
  writeTree(world.scope.base, files);
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(join(world.scope.base, path, ".."), { recursive: true });
    symlinkSync(target, join(world.scope.base, path));
  }
  return world;
}

function journal(changes: object): object {
  const defaults = { schemaVersion: 1, id: "evil", sequence: 1, title: "evil", time: 1 };
  return { ...defaults, moves: [], locks: [], ...changes };
}

function attempt({ scope, stateDirectory }: ChangeWorld) {
  return openRoot(scope, { ...settings(), stateDirectory, patienceMs: 50 });
}

const outside = ({ folder }: ChangeWorld) => tree(join(folder, "outside"));
const UNTOUCHED = { secret: "secret" };

describe("a journal that came with the project", () => {
  const removal = journal({ moves: [{ folder: "pdf", after: null }] });
  const placing = journal({
    moves: [{ folder: "pdf", staged: "staging/x/pdf", after: "sha256:0" }],
  });
  const texts: readonly (readonly [string, string])[] = [
    ["without a signature", JSON.stringify(removal)],
    ["with an empty one", JSON.stringify({ mac: "", body: removal })],
    ["with one of zeros", JSON.stringify({ mac: "0".repeat(64), body: placing })],
    ["that is not JSON", "{"],
    ["that is null", "null"],
    ["with a prototype", '{"__proto__":{"mac":"","body":{}}}'],
  ];
  it.each(texts)("K-02 %s is set aside and does nothing", async (_, text) => {
    const world = hostile({
      [`${STATE}/journal.json`]: text,
      [`${STATE}/staging/x/pdf/SKILL.md`]: "evil",
      ".agent/skills/pdf/SKILL.md": "mine",
    });
    const root = await open(world);
    expect(root.notes).toEqual([expect.stringContaining("a journal that you did not write")]);
    root.close();
    expect(tree(world.scope.root, ".skillwright")).toEqual({ "pdf/SKILL.md": "mine" });
    const names = readdirSync(join(world.scope.base, STATE));
    expect(names).not.toContain("journal.json");
    expect(names.filter((name) => name.startsWith("refused-"))).toHaveLength(1);
    const next = await open(world);
    expect(next.notes).toEqual([]);
    next.close();
  });

  it("K-02 signed by this user for another root, or another purpose, is set aside", async () => {
    for (const { purpose, root } of [
      { purpose: JOURNAL, root: "/another/root" },
      { purpose: "history", root: undefined },
    ]) {
      const world = hostile({ ".agent/skills/pdf/SKILL.md": "mine" });
      const key = openSigningKey(world.stateDirectory);
      const text = signedText(purpose, removal, { key, root: root ?? world.scope.root });
      writeTree(world.scope.base, { [`${STATE}/journal.json`]: text });
      (await open(world)).close();
      expect(existsSync(join(world.scope.root, "pdf/SKILL.md"))).toBe(true);
    }
  });

  const paths: readonly (readonly [string, object])[] = [
    ["a folder above the root", { moves: [{ folder: "../../README.md", after: null }] }],
    ["an absolute folder", { moves: [{ folder: "/etc/x", after: null }] }],
    ["the state folder", { moves: [{ folder: ".skillwright/backups", after: null }] }],
    ["a backslash", { moves: [{ folder: "..\\..\\x", after: null }] }],
    [
      "staged outside",
      { moves: [{ folder: "x", staged: "staging/../../../../../outside", after: "" }] },
    ],
    ["staged anywhere", { moves: [{ folder: "x", staged: "/etc", after: "" }] }],
    ["an id that is a path", { id: "../../../.." }],
    [
      "a lock of another kind",
      { locks: [{ kind: "README.md", file: "x", before: null, after: "" }] },
    ],
  ];
  it.each(paths)("K-02 even signed may not name %s", async (_, changes) => {
    const world = hostile({});
    (await open(world)).close();
    const key = openSigningKey(world.stateDirectory);
    const text = signedText(JOURNAL, journal(changes), { key, root: world.scope.root });
    const before = tree(world.folder, ".skillwright");
    writeTree(world.scope.base, { [`${STATE}/journal.json`]: text });
    const root = await open(world);
    expect(root.notes).toHaveLength(1);
    root.close();
    expect(tree(world.folder, ".skillwright")).toEqual(before);
  });

  it("K-02 of an earlier change that comes back is not done again", async () => {
    const world = changeWorld();
    let copy = "";
    const file = join(world.scope.root, ".skillwright/journal.json");
    const onStep = ({ step }: { step: string }) => {
      if (step === "write-history") copy = readFileSync(file, "utf8");
    };
    const first = await open(world, { onStep });
    await change(first, "remove", { pdf: undefined }, {});
    await change(first, "install", { pdf: 1 }, { pdf: 1 });
    const old = copy;
    await change(first, "update", { pdf: 2 }, { pdf: 2 });
    first.close();
    const before = tree(world.scope.base, ".skillwright");
    writeFileSync(file, old);
    (await open(world)).close();
    expect(tree(world.scope.base, ".skillwright")).toEqual(before);
    const next = await open(world);
    expect(await pruneBackups(next, { keep: 1 })).toMatchObject({ ok: true });
    next.close();
    writeFileSync(file, old);
    const last = await open(world);
    expect(last.notes).toEqual([expect.stringContaining("older than the last change")]);
    last.close();
    expect(tree(world.scope.base, ".skillwright")).toEqual(before);
  });

  it("K-02 that writes another lock than that of this scope is not carried out", async () => {
    const world = hostile({});
    (await open(world)).close();
    const key = openSigningKey(world.stateDirectory);
    const target = join(world.folder, "outside/secret");
    const lock = { kind: "lock", file: target, before: null, after: "evil" };
    const text = signedText(JOURNAL, journal({ locks: [lock] }), { key, root: world.scope.root });
    writeTree(world.scope.base, { [`${STATE}/journal.json`]: text });
    expect(await attempt(world)).toMatchObject({ ok: false, code: "root-unwritable" });
    expect(outside(world)).toEqual(UNTOUCHED);
  });
});

describe("links that came with the project", () => {
  const refusedPlaces: readonly (readonly [string, string])[] = [
    ["the folder above the root", ".agent"],
    ["the root", ".agent/skills"],
    ["the state folder", STATE],
  ];
  it.each(refusedPlaces)("K-02 in the place of %s are refused", async (_, place) => {
    const world = hostile({}, { [place]: "../".repeat(place.split("/").length) + "outside" });
    const result = await attempt(world);
    expect(result).toMatchObject({ ok: false, code: "root-unwritable" });
    expect(result).toHaveProperty("message", expect.stringContaining("is a link"));
    expect(outside(world)).toEqual(UNTOUCHED);
  });

  const parts = ["staging", "backups", "history", "journal.json", ".gitignore"];
  it.each(parts)(
    "K-02 in the place of .skillwright/%s are set aside, not followed",
    async (part) => {
      const target = part.includes(".") ? "../../../../outside/secret" : "../../../../outside";
      const world = hostile({}, { [`${STATE}/${part}`]: target });
      const root = await open(world);
      expect(root.notes).toHaveLength(1);
      expect(await change(root, "install", { pdf: 1 }, { pdf: 1 })).toMatchObject({ ok: true });
      root.close();
      expect(outside(world)).toEqual(UNTOUCHED);
    },
  );

  it("K-02 in the place of a namespace are refused before anything is decided", async () => {
    const world = hostile({}, { ".agent/skills/acme": "../../../outside" });
    const root = await open(world);
    const result = await change(root, "install", { pdf: 1, "acme/x": 1 }, { pdf: 1 });
    expect(result).toMatchObject({ ok: false, code: "root-unwritable" });
    root.close();
    expect(outside(world)).toEqual(UNTOUCHED);
    expect(tree(world.scope.root, ".skillwright")).toEqual({ acme: "link to ../../../outside" });
    expect(existsSync(world.scope.lockFile)).toBe(false);
  });

  it("K-02 in the place of a namespace, made after the decision, stop the repair", async () => {
    const world = changeWorld();
    const onStep = ({ step, when }: { step: string; when: string }) => {
      if (`${step} ${when}` !== "write-journal after") return;
      symlinkSync(join(world.folder, "outside"), join(world.scope.root, "acme"));
    };
    const root = await open(world, { onStep });
    const result = await change(root, "install", { "acme/x": 1 }, { "acme/x": 1 });
    expect(result).toMatchObject({ ok: false, code: "root-unwritable" });
    root.close();
    expect(await attempt(world)).toMatchObject({ ok: false, code: "root-unwritable" });
    expect(outside(world)).toEqual(UNTOUCHED);
    rmSync(join(world.scope.root, "acme"));
    (await open(world)).close();
    expect(existsSync(join(world.scope.root, "acme/x/SKILL.md"))).toBe(true);
  });

  it("K-03 in the place of a skill are moved and restored as links; the target stays", async () => {
    const world = hostile({}, { ".agent/skills/pdf": "../../../outside" });
    const root = await open(world);
    expect(await change(root, "uninstall", { pdf: undefined }, {})).toMatchObject({
      folders: [{ folder: "pdf", status: "removed" }],
    });
    expect(tree(world.scope.root, ".skillwright")).toEqual({});
    expect(outside(world)).toEqual(UNTOUCHED);
    expect(await undoChange(root)).toMatchObject({ ok: true, undid: "uninstall" });
    root.close();
    expect(tree(world.scope.root, ".skillwright")).toEqual({ pdf: "link to ../../../outside" });
  });

  const locks = [".agent/skills.lock.json", "skills-lock.json"];
  it.each(locks)(
    "K-02 in the place of %s are refused, nothing is read or written",
    async (lock) => {
      const up = "../".repeat(lock.split("/").length);
      const world = hostile({}, { [lock]: `${up}outside/secret` });
      const root = await open(world);
      expect(await change(root, "install", { pdf: 1 }, { pdf: 1 })).toMatchObject({
        ok: false,
        code: "root-unwritable",
      });
      root.close();
      expect(outside(world)).toEqual(UNTOUCHED);
      expect(JSON.stringify(tree(world.scope.base))).not.toContain('"secret"');
    },
  );

  it("K-02 that stay within the project are followed", async () => {
    const world = hostile(
      { ".claude/skills/old/SKILL.md": "x" },
      { ".agent/skills": "../.claude/skills" },
    );
    const root = await open(world);
    expect(await change(root, "install", { pdf: 1 }, { pdf: 1 })).toMatchObject({ ok: true });
    root.close();
    expect(existsSync(join(world.scope.base, ".claude/skills/pdf/SKILL.md"))).toBe(true);
  });
});

describe("a history that is not this user's", () => {
  async function withHistory() {
    const world = changeWorld();
    const root = await open(world);
    await change(root, "install", { pdf: 1 }, { pdf: 1 });
    await change(root, "update", { pdf: 2 }, { pdf: 2 });
    root.close();
    const history = join(world.scope.root, ".skillwright/history");
    const backups = join(world.scope.root, ".skillwright/backups");
    const last = readdirSync(history).sort().at(-1)!;
    return { world, history, backups, last };
  }

  it("K-03 is listed as refused and not undone", async () => {
    const { world, history } = await withHistory();
    for (const name of readdirSync(history)) {
      const text = readFileSync(join(history, name), "utf8");
      writeFileSync(join(history, name), text.replace('"pdf"', '"csv"'));
    }
    const listed = listChanges(world.scope, { stateDirectory: world.stateDirectory });
    expect(listed).toMatchObject({
      ok: true,
      changes: [],
      refused: [/0001-/, /0002-/].map(matching),
    });
    const root = await open(world);
    expect(await undoChange(root)).toMatchObject({ ok: false, code: "nothing-to-undo" });
    root.close();
    expect(readFileSync(join(world.scope.root, "pdf/SKILL.md"), "utf8")).toBe("pdf 2 SKILL.md");
  });

  it("K-03 a signed entry under the name of another, or of another project, is refused", async () => {
    const { world, history, last } = await withHistory();
    renameSync(join(history, last), join(history, "99999999-x.json"));
    const other = changeWorld();
    (await open(other)).close();
    cpSync(history, join(other.scope.root, ".skillwright/history"), { recursive: true });
    const { stateDirectory } = world;
    expect(listChanges(world.scope, { stateDirectory })).toMatchObject({
      changes: [{ title: "install" }],
      refused: ["99999999-x.json"],
    });
    expect(listChanges(other.scope, { stateDirectory })).toMatchObject({ changes: [] });
    expect(listChanges(other.scope, { stateDirectory: join(other.folder, "none") })).toMatchObject({
      changes: [],
      refused: [expect.any(String), expect.any(String)],
    });
  });

  it("K-03 a backup that was exchanged is refused, also with force", async () => {
    const { world, backups, last } = await withHistory();
    const id = last.slice(9, -5);
    writeFileSync(join(backups, id, "folders/pdf/SKILL.md"), "evil");
    const root = await open(world);
    for (const force of [false, true]) {
      expect(await undoChange(root, { force })).toMatchObject({
        ok: false,
        code: "digest-mismatch",
      });
    }
    rmSync(join(backups, id, "folders"), { recursive: true });
    symlinkSync(join(world.folder, "outside"), join(backups, id, "folders"));
    expect(await undoChange(root)).toMatchObject({ ok: false, code: "root-unwritable" });
    root.close();
    expect(readFileSync(join(world.scope.root, "pdf/SKILL.md"), "utf8")).toBe("pdf 2 SKILL.md");
    expect(outside(world)).toEqual(UNTOUCHED);
  });
});

it("K-02 a lock file that came with the project blocks with its name, and is not overridden", async () => {
  const world = hostile({ [`${STATE}/lock`]: "not a lock" });
  const result = await attempt(world);
  expect(result).toMatchObject({ ok: false, code: "root-busy" });
  expect(result).toHaveProperty(
    "hint",
    expect.stringContaining(join(world.scope.base, STATE, "lock")),
  );
});

function matching(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}
