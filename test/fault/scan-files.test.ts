import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { openSkills } from "@skillwright/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText, writeTree } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Between two good skills, one whose SKILL.md is something else. */
async function between(make: (file: string) => unknown) {
  const root = temporaryFolder({
    "a/SKILL.md": skillText("a"),
    "m/x.txt": "",
    "z/SKILL.md": skillText("z"),
  });
  await make(join(root, "m/SKILL.md"));
  const skills = await openSkills({ roots: [root] });
  return { root, skills, names: skills.all.map(({ name }) => name) };
}

const isRoot = process.getuid?.() === 0;

describe("a SKILL.md that is", () => {
  const things: readonly (readonly [string, (file: string) => unknown])[] = [
    ["a folder", (file) => mkdirSync(file)],
    ["a folder that holds a skill", (file) => writeTree(file, { "SKILL.md": skillText("m") })],
    ["a FIFO", (file) => execFileSync("mkfifo", [file])],
    ["a socket", listen],
    ["a link to /dev/zero", (file) => symlinkSync("/dev/zero", file)],
    ["a link to the environment", (file) => symlinkSync("/proc/self/environ", file)],
    ["a link to itself", (file) => symlinkSync("SKILL.md", file)],
    ["a dangling link", (file) => symlinkSync("nowhere", file)],
    ["1 GB of nothing", sparse],
    ["1 GB behind a beginning", (file) => sparse(file, "---\nname: m\n")],
    ["one endless line", (file) => writeFileSync(file, `---\nname: ${"m".repeat(5_000_000)}`)],
    ["UTF-16", (file) => writeFileSync(file, Buffer.from(skillText("m"), "utf16le"))],
    ["not UTF-8", (file) => writeFileSync(file, Buffer.alloc(100, 0xff))],
    ...(isRoot ? [["a device", device] as const] : []),
  ];

  it.each(things)("R-05 %s is named and hides no other", async (_, make) => {
    const { root, skills, names } = await between(make);
    expect(names).toEqual(["a", "z"]);
    expect(skills.diagnostics().map(({ file }) => file)).toContain(join(root, "m/SKILL.md"));
    expect(skills.find("m")).toMatchObject({ ok: false, code: "skill-unusable" });
  });

  it("R-05 1 GB with a good beginning loads like any other", async () => {
    const { names } = await between((file) => sparse(file, skillText("m")));
    expect(names).toEqual(["a", "m", "z"]);
  });
});

it("R-05 goes past 100,000 sibling files, in the root and in a skill", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillText("a"), "org/b/SKILL.md": skillText("b") });
  for (let i = 0; i < 50_000; i++) {
    writeFileSync(join(root, `file-${i}`), "");
    writeFileSync(join(root, `org/file-${i}`), "");
  }
  const skills = await openSkills({ roots: [root] });
  expect(skills.all.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(skills.diagnostics()).toEqual([]);
  rmSync(root, { recursive: true });
});

it("R-05 ends in a tree 200 folders deep and says where it stopped", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillText("a") });
  writeTree(root, { [`${"d/".repeat(200)}SKILL.md`]: skillText("deep") });
  const skills = await openSkills({ roots: [root] });
  expect(skills.all.map(({ name }) => name)).toEqual(["a"]);
  expect(skills.diagnostics().map(({ code }) => code)).toEqual(["scan-limit"]);
});

it("R-05 survives a root that is removed while it is scanned", async () => {
  const root = temporaryFolder();
  for (let i = 0; i < 1500; i++) {
    writeTree(root, { [`org-${i % 50}/s${i}/SKILL.md`]: skillText(`s${i}`) });
  }
  const other = temporaryFolder({ "z/SKILL.md": skillText("z") });
  const opening = openSkills({ roots: [root, other] });
  // A scan rests now and then; this runs in one of those rests at the latest.
  await new Promise((resolve) => setImmediate(resolve));
  rmSync(root, { recursive: true });
  const skills = await opening;
  expect(skills.get("z")?.source).toBe("project");
  await skills.refresh();
  expect(skills.all.map(({ name }) => name)).toEqual(["z"]);
  expect(skills.diagnostics().map(({ code }) => code)).toEqual(["root-missing"]);
});

it("R-05 names a folder whose name is not UTF-8", async () => {
  const root = temporaryFolder({ "a/SKILL.md": skillText("a") });
  const strange = Buffer.concat([Buffer.from(`${root}/b`), Buffer.from([0xff])]);
  mkdirSync(strange);
  writeFileSync(Buffer.concat([strange, Buffer.from("/SKILL.md")]), skillText("b"));
  const skills = await openSkills({ roots: [root] });
  expect(skills.all.map(({ name }) => name)).toEqual(["a"]);
  expect(skills.diagnostics()).toHaveLength(1);
});

function sparse(file: string, beginning = ""): void {
  writeFileSync(file, beginning);
  truncateSync(file, 1_000_000_000);
}

function device(file: string): void {
  execFileSync("mknod", [file, "c", "1", "5"]);
}

async function listen(file: string): Promise<void> {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(file, resolve));
}
