import { skillDigest } from "@skillwright/core";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { snapshotSkill } from "./index.ts";

function makeSkill(files: Readonly<Record<string, string>>) {
  const root = mkdtempSync(join(tmpdir(), "skillwright-test-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = join(root, "skill");
  mkdirSync(path);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { root, path, target: join(root, "copy"), skill: { name: "s", path } };
}

describe("snapshotSkill", () => {
  it("X-02 has the digest of the skill, and its bytes", async () => {
    const { path, target, skill } = makeSkill({
      "SKILL.md": "text",
      "scripts/a.py": "a",
      "scripts-b": "b",
      "scripts/ü/x": "\u0000\u00ff",
      empty: "",
    });
    chmodSync(join(path, "scripts/a.py"), 0o755);
    const snapshot = await snapshotSkill(skill, target);
    expect(snapshot).toMatchObject({ ok: true, digest: await skillDigest(path) });
    expect(await skillDigest(target)).toBe(await skillDigest(path));
    expect(readFileSync(join(target, "scripts/ü/x"), "utf8")).toBe("\u0000\u00ff");
    expect(statSync(join(target, "scripts/a.py")).mode & 0o777).toBe(0o500);
    expect(statSync(join(target, "SKILL.md")).mode & 0o777).toBe(0o400);
    expect(statSync(target).mode & 0o777).toBe(0o700);
  });

  it("X-02 takes a skill whose folder is a link", async () => {
    const { root, target, path } = makeSkill({ "SKILL.md": "text" });
    symlinkSync("skill", join(root, "link"));
    const snapshot = await snapshotSkill({ name: "s", path: join(root, "link") }, target);
    expect(snapshot).toMatchObject({ ok: true, digest: await skillDigest(path) });
  });

  it("X-02 refuses content that was not approved", async () => {
    const { path, root, skill } = makeSkill({ "SKILL.md": "text" });
    const digest = await skillDigest(path);
    const same = await snapshotSkill({ ...skill, digest }, join(root, "1"));
    expect(same).toMatchObject({ ok: true });
    writeFileSync(join(path, "SKILL.md"), "texts");
    const other = await snapshotSkill({ ...skill, digest }, join(root, "2"));
    expect(other).toMatchObject({ ok: false, code: "digest-mismatch" });
  });

  it("X-02 refuses links, pipes and what cannot be read", async () => {
    const { path, root, skill } = makeSkill({ "SKILL.md": "text", outside: "" });
    symlinkSync("/etc/passwd", join(path, "leak"));
    expect(await snapshotSkill(skill, join(root, "1"))).toMatchObject({ code: "skill-unreadable" });
    rmSync(join(path, "leak"));
    execFileSync("mkfifo", [join(path, "pipe")]);
    expect(await snapshotSkill(skill, join(root, "2"))).toMatchObject({ code: "skill-unreadable" });
    rmSync(join(path, "pipe"));
    const nowhere = { name: "s", path: join(root, "nowhere") };
    expect(await snapshotSkill(nowhere, join(root, "3"))).toMatchObject({
      code: "skill-unreadable",
    });
  });

  it("X-02 a hard link is a copy of its content like any file", async () => {
    const { path, root, skill } = makeSkill({ "SKILL.md": "text" });
    linkSync(join(path, "SKILL.md"), join(path, "same"));
    expect(await snapshotSkill(skill, join(root, "1"))).toMatchObject({ ok: true });
  });

  it("X-05 refuses what is too large without reading it", async () => {
    const { path, root, skill } = makeSkill({ "SKILL.md": "text" });
    truncateSync(join(path, "SKILL.md"), 10 * 1024 ** 3);
    expect(await snapshotSkill(skill, join(root, "1"))).toMatchObject({ code: "skill-too-large" });
  });
});
