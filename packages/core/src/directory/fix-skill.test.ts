import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fixSkill, lintSkill } from "./index.ts";

const BROKEN = `---
name: dates
description: Use when: a "date" is asked for
user-invokable: yes
allowed_tools: Read
version: 1.10
license: 2026-11-15
metadata:
  level: 3
---

# Dates \t
`;

const MENDED = `---
name: dates
description: 'Use when: a "date" is asked for'
user-invocable: true
allowed-tools: Read
version: "1.10"
license: "2026-11-15"
metadata:
  level: "3"
---

# Dates \t
`;

let root = "";
let skill = "";

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "skillwright-"));
  skill = join(root, "dates");
  await mkdir(skill);
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe("fixSkill", () => {
  it("F-07 writes what the diagnostics say", async () => {
    await write(BROKEN);
    expect(await fixSkill(skill)).toBe(7);
    expect(await content()).toBe(MENDED);
  });

  it("F-07 has nothing left to do the second time", async () => {
    await write(BROKEN);
    await fixSkill(skill);
    const { mtimeNs, ino } = await stat(file(), { bigint: true });
    expect(await fixSkill(skill)).toBe(0);
    const after = await stat(file(), { bigint: true });
    expect([after.mtimeNs, after.ino]).toEqual([mtimeNs, ino]);
    expect((await lintSkill(skill, { strict: true })).skill).toBeDefined();
  });

  it("F-07 leaves the skill as it was read before", async () => {
    await write(BROKEN);
    const before = await lintSkill(skill);
    await fixSkill(skill);
    expect((await lintSkill(skill)).skill).toEqual(before.skill);
  });

  it("F-07 removes blank lines before the frontmatter", async () => {
    await write(`\n\n${MENDED}`);
    expect(await fixSkill(skill)).toBe(1);
    expect(await content()).toBe(MENDED);
  });

  it.each([
    ["CRLF", "\r\n", ""],
    ["CR", "\r", ""],
    ["a byte order mark", "\n", "\uFEFF"],
    ["CRLF and a byte order mark", "\r\n", "\uFEFF"],
  ])("F-07 keeps %s", async (_, newline, mark) => {
    await write(mark + BROKEN.replaceAll("\n", newline));
    await fixSkill(skill);
    expect(await content()).toBe(mark + MENDED.replaceAll("\n", newline));
  });

  it("F-07 keeps newlines that differ from line to line, and lone carriage returns", async () => {
    await write(`${BROKEN.replace("dates\n", "dates\r\n")}a\rb\r\nc\n`);
    await fixSkill(skill);
    expect(await content()).toBe(`${MENDED.replace("dates\n", "dates\r\n")}a\rb\r\nc\n`);
  });

  it.each([
    ["Latin-1", Buffer.from(`${BROKEN}caf\u00e9\n`, "latin1")],
    ["UTF-16", Buffer.from(`\uFEFF${BROKEN}`, "utf16le")],
  ])("F-07 does not touch a file in %s, which it could not write back", async (_, bytes) => {
    await writeFile(file(), bytes);
    expect(await fixSkill(skill)).toBe(0);
    expect(await readFile(file())).toEqual(bytes);
  });

  it.each([0o600, 0o640, 0o755, 0o444])("F-07 keeps the mode %o", async (mode) => {
    await write(BROKEN);
    await chmod(file(), mode);
    await fixSkill(skill);
    expect((await stat(file())).mode & 0o777).toBe(mode);
  });

  it("F-07 leaves nothing behind", async () => {
    await write(BROKEN);
    await fixSkill(skill);
    expect(await readdir(skill)).toEqual(["SKILL.md"]);
  });

  it("F-07 replaces the file in one step: a reader has the old text or the new one", async () => {
    await write(BROKEN);
    const seen = new Set<string>();
    const stop = { now: false };
    const reading = (async () => {
      while (!stop.now) seen.add(await content());
    })();
    await fixSkill(skill);
    stop.now = true;
    await reading;
    seen.add(await content());
    expect([...seen].filter((text) => text !== BROKEN && text !== MENDED)).toEqual([]);
  });

  it("F-07 does not touch a file without anything to mend", async () => {
    await write(MENDED);
    const before = await stat(file(), { bigint: true });
    expect(await fixSkill(skill)).toBe(0);
    expect((await stat(file(), { bigint: true })).ino).toBe(before.ino);
  });

  it("F-07 does not touch what is beyond repair", async () => {
    const text = "---\nname: 'dates\nuser-invokable: no\n---\n";
    await write(text);
    expect(await fixSkill(skill)).toBe(0);
    expect(await content()).toBe(text);
  });

  it("F-07 mends only what is switched on", async () => {
    await write(MENDED.replace('"1.10"', "1.10").replace("user-invocable", "user-invokable"));
    expect(await fixSkill(skill, { rules: { "field-type": "off" } })).toBe(1);
    expect(await content()).toBe(MENDED.replace('"1.10"', "1.10"));
  });

  it("F-08 never writes through a link", async () => {
    await writeFile(join(root, "other.md"), BROKEN);
    await symlink("../other.md", file());
    expect(await fixSkill(skill)).toBe(0);
    expect(await readFile(join(root, "other.md"), "utf8")).toBe(BROKEN);
  });

  it("F-08 mends a skill whose folder is a link", async () => {
    await write(BROKEN);
    await symlink("dates", join(root, "link"));
    expect(await fixSkill(join(root, "link"))).toBe(7);
    expect(await content()).toBe(MENDED);
  });

  it("F-06 gives zero for a folder that is not there", async () => {
    expect(await fixSkill(join(root, "nowhere"))).toBe(0);
  });
});

function file(): string {
  return join(skill, "SKILL.md");
}

function write(text: string): Promise<void> {
  return writeFile(file(), text);
}

function content(): Promise<string> {
  return readFile(file(), "utf8");
}
