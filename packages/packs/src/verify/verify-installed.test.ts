import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { skillDigest } from "@skillwright/core";
import { fileDigests } from "@skillwright/core/internal";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { InstallScope, LockedSkill, PackProgress } from "../index.ts";
import { lockedSkill, renderLock } from "../lock/index.ts";
import { verifyInstalled } from "./index.ts";

const SKILL = "---\nname: x\ndescription: x\n---\n";

/** A project with these skills, as the lock says. Folders have come to rest, or have not. */
async function project(
  skills: Readonly<Record<string, Readonly<Record<string, string>>>>,
  { atRest = true, linked = [] as readonly string[] } = {},
): Promise<InstallScope> {
  const base = temporaryFolder({ "README.md": "a project" });
  const root = join(base, ".agent/skills");
  const locked: Record<string, LockedSkill> = {};
  for (const [name, files] of Object.entries(skills)) {
    for (const [path, text] of Object.entries({ "SKILL.md": SKILL, ...files })) {
      mkdirSync(join(root, name, path, ".."), { recursive: true });
      writeFileSync(join(root, name, path), text);
    }
    locked[`.agent/skills/${name}`] = lockedSkill({
      name,
      origin: { type: "local", source: "../x" },
      skillPath: name,
      files: await fileDigests(join(root, name)),
      linked: linked.includes(name),
    });
  }
  const lockFile = join(base, ".agent/skills.lock.json");
  mkdirSync(root, { recursive: true });
  writeFileSync(lockFile, renderLock({ schemaVersion: 1, skills: locked }));
  if (atRest) await setTimeout(60);
  return { label: "project", base, root, lockFile };
}

async function verified(scope: InstallScope) {
  const result = await verifyInstalled(scope);
  if (!result.ok) throw new Error(result.message);
  const statuses = Object.fromEntries(result.skills.map(({ path, status }) => [path, status]));
  return { ...result, statuses, first: result.skills[0]! };
}

const PDF = ".agent/skills/pdf";

describe.each([
  ["at rest", true],
  ["that changed just now", false],
])("skills in folders %s", (_, atRest) => {
  it("K-04 are ok when every file is as locked", async () => {
    const scope = await project(
      { pdf: { "references/a/b.md": "b", "c.md": "" }, docx: {} },
      { atRest },
    );
    const { skills, problems } = await verified(scope);
    expect(problems).toEqual([]);
    expect(skills).toEqual([
      {
        name: "docx",
        digest: await skillDigest(join(scope.root, "docx")),
        path: ".agent/skills/docx",
        status: "ok",
        files: [{ path: "SKILL.md", status: "ok" }],
      },
      {
        name: "pdf",
        digest: await skillDigest(join(scope.root, "pdf")),
        path: PDF,
        status: "ok",
        files: ["SKILL.md", "c.md", "references/a/b.md"].map((path) => ({ path, status: "ok" })),
      },
    ]);
  });

  it("K-04 tell what was modified, is missing and was added", async () => {
    const scope = await project(
      { pdf: { "a.md": "a", "b/c.md": "c" }, docx: {}, gone: {} },
      { atRest },
    );
    appendFileSync(join(scope.root, "pdf/a.md"), " ");
    rmSync(join(scope.root, "pdf/b"), { recursive: true });
    writeFileSync(join(scope.root, "pdf/new.md"), "");
    writeFileSync(join(scope.root, "docx/new.md"), "");
    rmSync(join(scope.root, "gone"), { recursive: true });
    const { skills, statuses } = await verified(scope);
    expect(statuses).toEqual({
      ".agent/skills/docx": "extra-files",
      ".agent/skills/gone": "missing",
      [PDF]: "modified",
    });
    expect(skills.at(-1)?.files).toEqual([
      { path: "SKILL.md", status: "ok" },
      { path: "a.md", status: "modified" },
      { path: "b/c.md", status: "missing" },
      { path: "new.md", status: "extra" },
    ]);
    expect(skills.at(-1)?.digest).toBe(await skillDigest(join(scope.root, "pdf")));
  });

  it("K-04 are ok with a large file, and not when its last byte differs", async () => {
    const scope = await project({ pdf: { "big.bin": "x".repeat(3 * 1024 * 1024) } }, { atRest });
    expect((await verified(scope)).first.status).toBe("ok");
    truncateSync(join(scope.root, "pdf/big.bin"), 3 * 1024 * 1024 - 1);
    expect((await verified(scope)).first.status).toBe("modified");
  });

  it("K-05 hold no link, FIFO or other special file", async () => {
    const outside = temporaryFolder({ "a.md": "a", "folder/b.md": "b" });
    const scope = await project(
      { link: { "a.md": "a" }, pipe: { "a.md": "" }, way: { "folder/b.md": "b" } },
      { atRest },
    );
    unlinkSync(join(scope.root, "link/a.md"));
    symlinkSync(join(outside, "a.md"), join(scope.root, "link/a.md"));
    unlinkSync(join(scope.root, "pipe/a.md"));
    execFileSync("mkfifo", [join(scope.root, "pipe/a.md")]);
    rmSync(join(scope.root, "way/folder"), { recursive: true });
    symlinkSync(join(outside, "folder"), join(scope.root, "way/folder"));
    if (atRest) await setTimeout(60);
    const { statuses, problems } = await verified(scope);
    // The content behind the links is what the lock asks for; it must not be taken for it.
    expect(Object.values(statuses)).toEqual(["modified", "modified", "modified"]);
    expect(problems.map(({ code, path }) => [code, path])).toEqual([
      ["link", ".agent/skills/link/a.md"],
      ["special-file", ".agent/skills/pipe/a.md"],
      ["link", ".agent/skills/way/folder"],
    ]);
  });
});

it("K-04 a skill that the lock does not know is told, wherever it lies below the root", async () => {
  const scope = await project({ pdf: {} });
  for (const path of ["mine", "acme/theirs", ".skillwright/backup/old", "node_modules/x"]) {
    mkdirSync(join(scope.root, path), { recursive: true });
    writeFileSync(join(scope.root, path, "SKILL.md"), SKILL);
  }
  symlinkSync("mine", join(scope.root, "alias"));
  writeFileSync(join(scope.root, "README.md"), "no skill");
  mkdirSync(join(scope.root, "empty"));
  const { statuses, skills } = await verified(scope);
  expect(statuses).toEqual({
    ".agent/skills/acme/theirs": "unlocked",
    ".agent/skills/alias": "unlocked",
    ".agent/skills/mine": "unlocked",
    [PDF]: "ok",
  });
  expect(skills.find(({ name }) => name === "mine")?.digest).toBe(
    await skillDigest(join(scope.root, "mine")),
  );
});

it("K-04 a linked skill is said to be one, and a link nobody asked for is not", async () => {
  const scope = await project({ mine: {}, pdf: {} }, { linked: ["mine"] });
  const outside = temporaryFolder({ "SKILL.md": SKILL });
  for (const name of ["mine", "pdf"]) {
    rmSync(join(scope.root, name), { recursive: true });
    symlinkSync(outside, join(scope.root, name));
  }
  await setTimeout(60);
  const { statuses, problems } = await verified(scope);
  expect(statuses).toEqual({ ".agent/skills/mine": "linked", [PDF]: "modified" });
  expect(problems).toMatchObject([{ code: "link", path: PDF }]);
});

it("K-04 what a link of the lock leads to is hashed, but for what no install takes", async () => {
  const scope = await project({ mine: { "a.md": "a" } }, { linked: ["mine"] });
  const work = join(temporaryFolder(), "mine");
  renameSync(join(scope.root, "mine"), work);
  symlinkSync(work, join(scope.root, "mine"));
  mkdirSync(join(work, ".git"));
  writeFileSync(join(work, ".git/HEAD"), "");
  writeFileSync(join(work, ".DS_Store"), "");
  const [same] = (await verified(scope)).skills;
  expect(same).toMatchObject({ status: "linked", linked: true });
  writeFileSync(join(work, "a.md"), "changed");
  const [other] = (await verified(scope)).skills;
  expect(other).toMatchObject({ status: "modified", linked: true });
  expect(other!.digest).not.toBe(same!.digest);
  expect(other!.files).toContainEqual({ path: "a.md", status: "modified" });
  rmSync(join(work, "SKILL.md"));
  const { skills, problems } = await verified(scope);
  expect(skills).toMatchObject([{ status: "unreadable", files: [] }]);
  expect(problems).toMatchObject([{ code: "unreadable" }]);
});

it.skipIf(process.getuid?.() === 0)("K-04 what may not be read is a problem", async () => {
  const scope = await project({ pdf: { "a.md": "a" }, docx: { "b/c.md": "c" } });
  chmodSync(join(scope.root, "pdf/a.md"), 0);
  chmodSync(join(scope.root, "docx/b"), 0);
  onTestFinished(() => chmodSync(join(scope.root, "docx/b"), 0o755));
  const { problems } = await verified(scope);
  expect(problems.map(({ code }) => code)).toEqual(["unreadable", "unreadable"]);
});

it("K-05 a root or folder that leads out of the base is not read", async () => {
  const outside = await project({ pdf: {} });
  const scope = await project({ pdf: {} });
  rmSync(scope.root, { recursive: true });
  symlinkSync(outside.root, scope.root);
  await setTimeout(60);
  const { statuses, problems } = await verified(scope);
  expect(statuses).toEqual({ [PDF]: "unreadable" });
  expect(problems.map(({ code }) => code)).toEqual(["outside", "outside"]);
});

it("K-04 a root may be a link to another folder of the project", async () => {
  const scope = await project({ pdf: {} });
  renameSync(scope.root, join(scope.base, "shared"));
  symlinkSync("../shared", scope.root);
  await setTimeout(60);
  expect((await verified(scope)).statuses).toEqual({ [PDF]: "ok" });
});

it.each(["../outside/pdf", "/etc", ".agent/skills/../../../outside/pdf", "__proto__", ".git"])(
  "K-05 a planted lock with %j is refused before anything is looked at",
  async (path) => {
    const scope = await project({ pdf: {} });
    const skill = lockedSkill({
      name: "pdf",
      origin: { type: "local", source: "x" },
      skillPath: "",
      files: [],
    });
    const text = `{"schemaVersion":1,"skills":{${JSON.stringify(path)}:${JSON.stringify(skill)}}}`;
    writeFileSync(scope.lockFile, text);
    expect(await verifyInstalled(scope)).toMatchObject({ ok: false, code: "lock-invalid" });
  },
);

it("K-05 a planted lock with a file above its skill is refused", async () => {
  const scope = await project({ pdf: {} });
  const files = await fileDigests(scope.base).then((all) =>
    all
      .filter(({ path }) => path === "README.md")
      .map((file) => ({ ...file, path: "../../../README.md" })),
  );
  const skill = lockedSkill({
    name: "pdf",
    origin: { type: "local", source: "x" },
    skillPath: "",
    files,
  });
  writeFileSync(scope.lockFile, renderLock({ schemaVersion: 1, skills: { [PDF]: skill } }));
  expect(await verifyInstalled(scope)).toMatchObject({ ok: false, code: "lock-invalid" });
});

const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
process.chdir(process.argv[1]);
process.stdout.write("ready");
for (;;) {
  renameSync("pdf/folder", "../aside");
  symlinkSync(process.argv[2], "pdf/folder");
  unlinkSync("pdf/folder");
  renameSync("../aside", "pdf/folder");
}`;

it("K-05 a folder that is swapped for a link meanwhile never passes for what lies behind it", async () => {
  // The lock asks for what lies outside; inside is something else.
  const outside = temporaryFolder({ "a.md": "secret" });
  const scope = await project({ pdf: { "folder/a.md": "secret" } });
  writeFileSync(join(scope.root, "pdf/folder/a.md"), "inside");
  const swapper = spawn(process.execPath, ["-e", SWAPPER, scope.root, outside]);
  onTestFinished(async () => {
    swapper.kill("SIGKILL");
    await once(swapper, "exit");
  });
  await once(swapper.stdout, "data");
  for (let round = 0; round < 300; round++) {
    const { first } = await verified(scope);
    expect(first.status).not.toBe("ok");
  }
});

it("K-04 looks only at what is named, by name or path, and says what it does not know", async () => {
  const scope = await project({ "pdf-tools": {}, docx: {} });
  writeFileSync(join(scope.root, "docx/SKILL.md"), "other");
  const named = await verifyInstalled(scope, { names: ["pdf-tools"] });
  expect(named.ok && named.skills.map(({ name }) => name)).toEqual(["pdf-tools"]);
  const byPath = await verifyInstalled(scope, { names: [".agent/skills/docx"] });
  expect(byPath.ok && byPath.skills.map(({ status }) => status)).toEqual(["modified"]);
  expect(await verifyInstalled(scope, { names: ["pdf-tool"] })).toMatchObject({
    ok: false,
    code: "not-installed",
    candidates: ["pdf-tools"],
  });
});

it("K-04 can be canceled, and tells how far it is", async () => {
  const scope = await project({ pdf: {}, docx: {} });
  const seen: PackProgress[] = [];
  await verifyInstalled(scope, { onProgress: (progress) => seen.push(progress) });
  expect(seen.at(-1)).toEqual({ phase: "verify", done: 2, total: 2, unit: "skills" });
  const result = await verifyInstalled(scope, { signal: AbortSignal.abort() });
  expect(result).toMatchObject({ ok: false, code: "canceled" });
});

it("K-04 an empty scope is fine", async () => {
  const base = join(temporaryFolder(), "new");
  const scope = { label: "x", base, root: base, lockFile: join(base, "skills.lock.json") };
  expect(await verifyInstalled(scope)).toEqual({ ok: true, skills: [], problems: [], notes: [] });
});

it("K-04 what it finds out quickly is what it finds out carefully", async () => {
  const paths = ["a", "b/c", "b/d/e", "10", "9"];
  const contents = fc.dictionary(fc.constantFrom(...paths), fc.constantFrom("", "x", "y"));
  await fc.assert(
    fc.asyncProperty(contents, contents, async (locked, present) => {
      const scope = await project({ pdf: locked }, { atRest: false });
      rmSync(join(scope.root, "pdf"), { recursive: true });
      for (const [path, text] of Object.entries({ "SKILL.md": SKILL, ...present })) {
        mkdirSync(join(scope.root, "pdf", path, ".."), { recursive: true });
        writeFileSync(join(scope.root, "pdf", path), text);
      }
      const careful = await verifyInstalled(scope);
      await setTimeout(55);
      expect(await verifyInstalled(scope)).toEqual(careful);
      const isSame = isDeepStrictEqual({ ...locked }, { ...present });
      expect(careful.ok && careful.skills[0]?.status === "ok").toBe(isSame);
    }),
    {
      numRuns: 25,
      examples: [
        [
          { "9": "", "10": "x" },
          { "9": "", "10": "x" },
        ],
      ],
    },
  );
});
