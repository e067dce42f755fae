import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  ageTree,
  skillText,
  writeTree,
  indexedSkills,
} from "../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { directorySource } from "../index.ts";
import type { DirectorySourceOptions, FolderIndex, ScanCache } from "../internal/index.ts";
import { scanRoot } from "./index.ts";

async function scan(root: string, options: Partial<DirectorySourceOptions> = {}) {
  const { skills, diagnostics } = await directorySource(root, {
    label: "project",
    ...options,
  }).scan({});
  return {
    usable: skills.filter(({ metadata }) => metadata !== undefined).map((s) => s.relativePath),
    unusable: skills.filter(({ metadata }) => metadata === undefined).map((s) => s.relativePath),
    codes: skills.flatMap((skill) => skill.diagnostics.map(({ code }) => code)),
    rootCodes: diagnostics.map(({ code }) => code),
    rootFiles: diagnostics.map(({ file }) => file),
  };
}

describe("what is found", () => {
  it("R-01 R-04 finds plain skills and nested org/skill namespaces, sorted by path", async () => {
    const root = temporaryFolder({
      "pdf/SKILL.md": skillText("pdf"),
      "acme/dates/SKILL.md": skillText("dates"),
      "acme/tools/zip/SKILL.md": skillText("zip"),
      "notes/readme.md": "no skill",
      "SKILL-list.md": "no skill",
    });
    expect(await scan(root)).toMatchObject({
      usable: ["acme/dates", "acme/tools/zip", "pdf"],
      unusable: [],
      rootCodes: [],
    });
  });

  it("R-01 gives identity, folder, metadata and no body", async () => {
    const root = temporaryFolder({ "acme/pdf/SKILL.md": skillText("pdf", "Reads. Use when.") });
    const { skills } = await directorySource(root, { label: "team" }).scan({});
    expect(skills).toHaveLength(1);
    expect(skills[0]).toMatchObject({
      source: "team",
      root,
      relativePath: "acme/pdf",
      directory: join(root, "acme/pdf"),
      metadata: { name: "pdf", description: "Reads. Use when.", userInvocable: true },
      diagnostics: [],
    });
    expect(JSON.stringify(skills)).not.toContain("Goal of");
  });

  it("R-05 skips folders of tools and packages", async () => {
    const skipped = [".git", ".hg", ".svn", ".venv", "venv", "__pycache__", "node_modules"];
    const files = skipped.flatMap((name) => [
      [`${name}/SKILL.md`, skillText("a")],
      [`org/${name}/b/SKILL.md`, skillText("b")],
    ]);
    const root = temporaryFolder({ ...Object.fromEntries(files), "c/SKILL.md": skillText("c") });
    expect(await scan(root)).toMatchObject({ usable: ["c"], unusable: [], rootCodes: [] });
  });

  it.each(["skill.md", "Skill.md", "SKILL.MD"])("R-05 names a folder with a %s", async (file) => {
    const root = temporaryFolder({ [`a/${file}`]: skillText("a"), "b/SKILL.md": skillText("b") });
    expect(await scan(root)).toMatchObject({
      usable: ["b"],
      unusable: ["a"],
      codes: ["skill-file-missing"],
    });
  });

  it("R-05 keeps the others when one file is broken", async () => {
    const root = temporaryFolder({
      "a/SKILL.md": skillText("a"),
      "b/SKILL.md": "no frontmatter",
      "c/SKILL.md": "",
      "d/SKILL.md": "\0\0\0",
      "e/SKILL.md": skillText("e"),
    });
    const { usable, unusable, codes } = await scan(root);
    expect([usable, unusable]).toEqual([
      ["a", "e"],
      ["b", "c", "d"],
    ]);
    expect(codes.length).toBeGreaterThanOrEqual(3);
  });
});

describe("a file that hides no other", () => {
  const BELOW = { "pdf/SKILL.md": skillText("pdf"), "org/x/SKILL.md": skillText("x") };

  it.each([
    ["garbage", { "SKILL.md": "garbage" }],
    ["a folder", { "SKILL.md/readme.md": "" }],
  ])("R-05 is %s as SKILL.md of the root", async (_, files) => {
    const root = temporaryFolder({ ...BELOW, ...files });
    const { usable, unusable, codes } = await scan(root);
    expect([usable, unusable, codes.length]).toEqual([["org/x", "pdf"], [basename(root)], 1]);
  });

  it("R-05 is a SKILL.md of the root, which is a skill as well", async () => {
    const folder = temporaryFolder({ "root/SKILL.md": skillText("root") });
    const root = join(folder, "root");
    writeTree(root, BELOW);
    const { skills } = await directorySource(root, { label: "project" }).scan({});
    expect(skills.map(({ relativePath, root: from }) => [relativePath, from])).toEqual([
      ["root", root],
      ["org/x", root],
      ["pdf", root],
    ]);
    expect(skills[0]?.directory).toBe(root);
  });

  it.each(["SKILL.md", "skill.md"])("R-05 is an unusable %s of a namespace", async (file) => {
    const root = temporaryFolder({ [`org/${file}`]: "garbage", ...BELOW });
    expect(await scan(root)).toMatchObject({ usable: ["org/x", "pdf"], unusable: ["org"] });
  });

  it("R-05 R-09 is one that was usable at the last look, or is again", async () => {
    const root = temporaryFolder({ ...BELOW, "org/SKILL.md": skillText("org") });
    const kept = new Map<string, FolderIndex>();
    const cache: ScanCache = {
      read: (key) => Promise.resolve(kept.get(key)),
      write: (key, index) => Promise.resolve(void kept.set(key, index)),
    };
    const usable = async () => {
      ageTree(root);
      const { skills } = await directorySource(root, { label: "project" }).scan({ cache });
      return skills.filter(({ metadata }) => metadata !== undefined).map((s) => s.relativePath);
    };
    expect(await usable()).toEqual(["org", "pdf"]);
    writeFileSync(join(root, "org/SKILL.md"), "garbage");
    expect(await usable()).toEqual(["org/x", "pdf"]);
    expect(await usable()).toEqual(["org/x", "pdf"]);
    writeFileSync(join(root, "org/SKILL.md"), skillText("org"));
    expect(await usable()).toEqual(["org", "pdf"]);
  });

  it("R-05 R-09 is one of two that change places between looks", async () => {
    const root = temporaryFolder({
      "a/SKILL.md": skillText("a"),
      "a/x/SKILL.md": skillText("x"),
      "b/SKILL.md": "garbage",
      "b/y/SKILL.md": skillText("y"),
    });
    ageTree(root);
    const now = BigInt(Date.now()) * 1_000_000n;
    const { index } = await scanRoot(root, { source: "project", now });
    expect([...indexedSkills(index).keys()].toSorted()).toEqual(["a", "b", "b/y"]);
    writeTree(root, { "a/SKILL.md": "garbage", "b/SKILL.md": skillText("b") });
    ageTree(root);
    const warm = await scanRoot(root, { source: "project", now, index });
    expect([...indexedSkills(warm.index).keys()].toSorted()).toEqual(["a", "a/x", "b"]);
  });

  it("R-05 a root that holds only a skill.md is named", async () => {
    const root = temporaryFolder({ "skill.md": skillText("a") });
    expect(await scan(root)).toMatchObject({
      unusable: [basename(root)],
      codes: ["skill-file-missing"],
    });
  });

  it("R-05 but what lies below a skill that can be used is one of its files", async () => {
    const root = temporaryFolder({ "a/SKILL.md": skillText("a"), "a/b/SKILL.md": skillText("b") });
    expect(await scan(root)).toMatchObject({ usable: ["a"], unusable: [], rootCodes: [] });
  });
});

describe("links", () => {
  it("R-05 works through a root that is a link and keeps its name", async () => {
    const folder = temporaryFolder({ "real/a/SKILL.md": skillText("a") });
    symlinkSync(join(folder, "real"), join(folder, "root"));
    const { skills } = await directorySource(join(folder, "root"), { label: "user" }).scan({});
    expect(skills[0]?.directory).toBe(join(folder, "root/a"));
  });

  it("R-05 works with a skill folder that is a link, also in a namespace", async () => {
    const folder = temporaryFolder({ "kept/a/SKILL.md": skillText("a"), "root/org/x.txt": "" });
    symlinkSync(join(folder, "kept/a"), join(folder, "root/a"));
    symlinkSync("../../kept/a", join(folder, "root/org/a"));
    expect(await scan(join(folder, "root"))).toMatchObject({ usable: ["a", "org/a"], codes: [] });
  });

  it("R-05 refuses a SKILL.md that is a link, to inside and to outside, without its text", async () => {
    const folder = temporaryFolder({
      "secret.md": skillText("secret"),
      "root/in/real.md": skillText("in"),
      "root/out/x.txt": "",
      "root/ok/SKILL.md": skillText("ok"),
    });
    symlinkSync("real.md", join(folder, "root/in/SKILL.md"));
    symlinkSync(join(folder, "secret.md"), join(folder, "root/out/SKILL.md"));
    expect(await scan(join(folder, "root"))).toMatchObject({
      usable: ["ok"],
      unusable: ["in", "out"],
      codes: ["skill-file-unreadable", "skill-file-unreadable"],
    });
  });

  it("R-05 ends with links that lead in circles", async () => {
    const root = temporaryFolder({
      "a/SKILL.md": skillText("a"),
      "org/b/SKILL.md": skillText("b"),
    });
    symlinkSync(root, join(root, "up"));
    symlinkSync("..", join(root, "org/up"));
    symlinkSync("self", join(root, "self"));
    symlinkSync("pong", join(root, "ping"));
    symlinkSync("ping", join(root, "pong"));
    expect((await scan(root)).usable).toEqual(["a", "org/b"]);
  });
});

describe("roots", () => {
  it("R-02 is silent about an empty default root and warns about a configured one", async () => {
    const empty = temporaryFolder({ "notes/readme.md": "no skill" });
    expect(await scan(empty)).toMatchObject({ usable: [], rootCodes: [] });
    expect(await scan(empty, { configured: true })).toMatchObject({
      rootCodes: ["root-empty"],
      rootFiles: [empty],
    });
    writeTree(empty, { "pdf/SKILL.md": "broken" });
    expect(await scan(empty, { configured: true })).toMatchObject({
      unusable: ["pdf"],
      rootCodes: [],
    });
  });

  it("R-02 is silent about a missing default root and warns about a configured one", async () => {
    const missing = join(temporaryFolder(), "nowhere");
    expect(await scan(missing)).toMatchObject({ usable: [], rootCodes: [] });
    expect(await scan(missing, { configured: true })).toMatchObject({
      rootCodes: ["root-missing"],
      rootFiles: [missing],
    });
  });

  it("R-05 warns about a configured root that is a file, a dangling link or a link loop", async () => {
    const folder = temporaryFolder({ file: "" });
    symlinkSync(join(folder, "nowhere"), join(folder, "dangling"));
    symlinkSync("loop", join(folder, "loop"));
    for (const name of ["file", "dangling", "loop"]) {
      const { rootCodes } = await scan(join(folder, name), { configured: true });
      expect(rootCodes, name).toEqual(["root-missing"]);
    }
  });
});

describe("limits", () => {
  it("R-05 finds a skill six levels deep and names the folder where it stops", async () => {
    const deep = "1/2/3/4/5/6/7/8/9";
    const root = temporaryFolder({
      "a/b/c/d/e/six/SKILL.md": skillText("six"),
      [`${deep}/SKILL.md`]: skillText("nine"),
    });
    const { usable, rootCodes, rootFiles } = await scan(root);
    expect([usable, rootCodes]).toEqual([["a/b/c/d/e/six"], ["scan-limit"]]);
    expect(`${root}/${deep}`.startsWith(`${rootFiles[0]}/`)).toBe(true);
  });

  it("R-05 stops after 2,000 folders without a skill and says so", async () => {
    const root = temporaryFolder({ "aaa/SKILL.md": skillText("aaa") });
    for (let i = 0; i < 2100; i++) mkdirSync(join(root, `folder-${i}`));
    expect(await scan(root)).toMatchObject({ usable: ["aaa"], rootCodes: ["scan-limit"] });
    rmSync(root, { recursive: true });
  });

  it("R-05 counts only folders without a skill", async () => {
    const root = temporaryFolder();
    for (let i = 0; i < 2100; i++) {
      mkdirSync(join(root, `s${i}`));
      writeFileSync(join(root, `s${i}/SKILL.md`), skillText(`s${i}`));
    }
    const { usable, rootCodes } = await scan(root);
    expect([usable.length, rootCodes]).toEqual([2100, []]);
    rmSync(root, { recursive: true });
  });

  it("R-05 counts no namespace that holds a skill, however many there are", async () => {
    const root = temporaryFolder();
    for (let i = 0; i < 2100; i++) {
      mkdirSync(join(root, `org${i}/s${i}`), { recursive: true });
      writeFileSync(join(root, `org${i}/s${i}/SKILL.md`), skillText(`s${i}`));
    }
    const { usable, rootCodes } = await scan(root);
    expect([usable.length, rootCodes]).toEqual([2100, []]);
    rmSync(root, { recursive: true });
  });

  it("R-05 finds what lies near before a large tree takes all the search", async () => {
    const root = temporaryFolder({ "zzz/near/SKILL.md": skillText("near") });
    for (let i = 0; i < 2100; i++)
      mkdirSync(join(root, `aaa/folder-${i}/sub`), { recursive: true });
    expect(await scan(root)).toMatchObject({
      usable: ["zzz/near"],
      rootCodes: ["scan-limit"],
      rootFiles: [root],
    });
    rmSync(root, { recursive: true });
  });
});
