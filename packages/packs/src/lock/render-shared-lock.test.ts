import { describe, expect, it } from "vitest";
import { join } from "node:path";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import type { LockFile, PackOrigin } from "../index.ts";
import {
  lockedSkill,
  originOfShared,
  parseSharedLock,
  readSharedLock,
  renderSharedLock,
  type SharedEntry,
} from "./index.ts";

const HASH = "a".repeat(64);
const DIGEST = `sha256:${"b".repeat(64)}`;

function lockOf(origins: Readonly<Record<string, PackOrigin>>, sha256 = HASH): LockFile {
  const skills = Object.entries(origins).map(([name, origin]) => {
    const files = [{ path: "SKILL.md", sha256 }];
    return [
      `.agent/skills/${name}`,
      lockedSkill({ name, origin, skillPath: `skills/${name}`, files }),
    ];
  });
  return { schemaVersion: 1, skills: Object.fromEntries(skills) as LockFile["skills"] };
}

function hashesOf(lock: LockFile, hash = HASH): Map<string, string> {
  return new Map(Object.keys(lock.skills).map((path) => [path, hash]));
}

function entriesOf(text: string | undefined): Record<string, SharedEntry> {
  const parsed = parseSharedLock(text);
  return parsed.ok ? { ...parsed.lock.skills } : {};
}

const LOCAL: PackOrigin = { type: "local", source: "../src" };

describe("what other clients read", () => {
  it.each<[string, PackOrigin, SharedEntry]>([
    [
      "a local folder",
      { type: "local", source: "../src" },
      { source: "../src", sourceType: "local" },
    ],
    [
      "a local folder below",
      { type: "local", source: "src" },
      { source: "./src", sourceType: "local" },
    ],
    [
      "a repository of GitHub",
      { type: "git", source: "acme/skills", ref: "v1", resolved: "c".repeat(40) },
      { source: "acme/skills", ref: "v1", sourceType: "github", skillPath: "skills/x/SKILL.md" },
    ],
    [
      "the same by URL",
      { type: "git", source: "https://github.com/acme/skills.git" },
      { source: "acme/skills", sourceType: "github", skillPath: "skills/x/SKILL.md" },
    ],
    [
      "a part of a repository",
      { type: "git", source: "acme/all", path: "packages" },
      { source: "acme/all", sourceType: "github", skillPath: "packages/skills/x/SKILL.md" },
    ],
    [
      "a repository of GitLab",
      { type: "git", source: "https://gitlab.com/a/b/c.git" },
      {
        source: "https://gitlab.com/a/b/c.git",
        sourceUrl: "https://gitlab.com/a/b/c.git",
        sourceType: "gitlab",
        skillPath: "skills/x/SKILL.md",
      },
    ],
    [
      "any other repository",
      { type: "git", source: "git@example.com:a/b.git" },
      {
        source: "git@example.com:a/b.git",
        sourceUrl: "git@example.com:a/b.git",
        sourceType: "git",
        skillPath: "skills/x/SKILL.md",
      },
    ],
    [
      "a well-known index",
      { type: "well-known", source: "https://www.example.com/docs", integrity: DIGEST },
      {
        source: "example.com",
        sourceUrl: "https://www.example.com/docs",
        sourceType: "well-known",
        wellKnownDigest: DIGEST,
      },
    ],
  ])("K-04 names %s as they do", (_, origin, entry) => {
    const lock = lockOf({ x: origin });
    const { text, notes } = renderSharedLock(undefined, lock, { hashes: hashesOf(lock) });
    expect(entriesOf(text)).toEqual({ x: { ...entry, computedHash: HASH } });
    expect(notes).toEqual([]);
    expect(text).toBe(`${JSON.stringify(JSON.parse(text!), null, 2)}\n`);
    const back = originOfShared(entriesOf(text)["x"]!);
    expect(back?.origin.type).toBe(origin.type);
    expect(back?.computedHash).toBe(HASH);
  });

  it.each<PackOrigin>([
    { type: "npm", source: "@acme/skills", resolved: "1.0.0" },
    { type: "archive", source: "./x.zip", integrity: DIGEST },
    { type: "url", source: "https://example.com/x.zip", integrity: DIGEST },
  ])("K-04 leaves out $type, which they cannot restore, and says so", (origin) => {
    const lock = lockOf({ x: origin, y: LOCAL });
    const existing = JSON.stringify({
      version: 1,
      skills: { x: { source: "other/x", sourceType: "github", computedHash: HASH } },
    });
    const { text, notes } = renderSharedLock(existing, lock, { hashes: hashesOf(lock) });
    expect(Object.keys(entriesOf(text))).toEqual(["y"]);
    expect(notes.join()).toContain("x");
  });

  it("K-04 keeps the entries of others, their fields, and what it does not know", () => {
    const foreign = {
      source: "o/r",
      sourceType: "github",
      computedHash: "0",
      subagents: ["a"],
      new: 1,
    };
    const existing = JSON.stringify({
      version: 1,
      skills: {
        zeta: foreign,
        x: { source: "../src", sourceType: "local", computedHash: "old", via: "p" },
      },
      later: true,
    });
    const lock = lockOf({ x: LOCAL });
    const { text } = renderSharedLock(existing, lock, { hashes: hashesOf(lock) });
    const file = JSON.parse(text!) as Record<string, unknown>;
    expect(file["later"]).toBe(true);
    expect(file["skills"]).toEqual({
      x: { source: "../src", sourceType: "local", computedHash: HASH, via: "p" },
      zeta: foreign,
    });
    expect(renderSharedLock(text, lock, { before: lock, hashes: new Map() }).text).toBe(text);
  });

  it("K-03 takes out what was uninstalled, and only that", () => {
    const before = lockOf({ x: LOCAL, y: LOCAL });
    const { text } = renderSharedLock(undefined, before, { hashes: hashesOf(before) });
    const foreign = text!.replace('"x"', '"theirs"');
    const after = lockOf({ y: LOCAL });
    const result = renderSharedLock(foreign, after, { before, hashes: new Map() });
    expect(Object.keys(entriesOf(result.text))).toEqual(["theirs", "y"]);
  });

  it("K-04 does not write a hash of content that was replaced", () => {
    const before = lockOf({ x: LOCAL });
    const { text } = renderSharedLock(undefined, before, { hashes: hashesOf(before) });
    const after = lockOf({ x: LOCAL }, "c".repeat(64));
    expect(entriesOf(renderSharedLock(text, after, { before, hashes: new Map() }).text)).toEqual(
      {},
    );
  });

  it.each([
    ["is of another version", '{"version":2,"skills":{}}', "version is 2"],
    ["is of no version", '{"skills":{}}', "version is none"],
    ["is broken", '{"version":1', "not JSON"],
    ["holds a conflict", "{\n<<<<<<< HEAD\n=======\n>>>>>>> b\n}", "merge conflict"],
    ["holds something else", "[1]", "object"],
    ["has a malformed entry", '{"version":1,"skills":{"a":1}}', "malformed"],
  ])("K-04 leaves a file alone that %s", (_, existing, reason) => {
    const lock = lockOf({ x: LOCAL });
    const { text, notes } = renderSharedLock(existing, lock, { hashes: hashesOf(lock) });
    expect(text).toBeUndefined();
    expect(notes.join()).toContain(reason);
  });

  it("K-04 writes no file where there was none and nothing to say", () => {
    expect(renderSharedLock(undefined, lockOf({}), { hashes: new Map() }).text).toBeUndefined();
  });

  it("K-04 is not misled by a skill named like a prototype", () => {
    const existing = '{"version":1,"skills":{"__proto__":{"source":"a/b","sourceType":"github"}}}';
    const lock = lockOf({ x: LOCAL });
    const { text } = renderSharedLock(existing, lock, { hashes: hashesOf(lock) });
    expect(Object.keys(JSON.parse(text!).skills)).toEqual(["__proto__", "x"]);
  });
});

describe("what other clients wrote", () => {
  it("K-04 is read from the project, and an absent one is empty", () => {
    const text = '{"version":1,"skills":{"a":{"source":"a/b","sourceType":"github"}}}';
    const base = temporaryFolder({ "skills-lock.json": text });
    const read = readSharedLock({ base, sharedLockFile: join(base, "skills-lock.json") });
    expect(read).toMatchObject({ ok: true, text });
    expect(readSharedLock({ base })).toEqual({ ok: true, lock: { version: 1, skills: {} } });
    expect(readSharedLock({ base, sharedLockFile: join(base, "x/y.json") })).toMatchObject({
      ok: true,
    });
  });

  it("K-04 tells an npm package and its version", () => {
    const entry = {
      source: "pkg",
      sourceType: "node_modules",
      version: "1.2.3",
      skillPath: "skills/x/SKILL.md",
    };
    expect(originOfShared(entry)).toEqual({
      origin: { type: "npm", source: "pkg", ref: "1.2.3", resolved: "1.2.3" },
      skillPath: "skills/x",
    });
  });

  it.each<[string, SharedEntry]>([
    ["an option", { source: "--upload-pack=x", sourceType: "git" }],
    ["a bare name for git", { source: "owner/repo", sourceType: "git" }],
    [
      "a transport that runs programs",
      { source: "ext::sh -c x", sourceUrl: "ext::sh -c x", sourceType: "git" },
    ],
    ["a folder for GitHub", { source: "../x", sourceType: "github" }],
    ["a path upwards", { source: "a/b", sourceType: "github", skillPath: "../../x/SKILL.md" }],
    ["an absolute path", { source: "a/b", sourceType: "github", skillPath: "/etc/SKILL.md" }],
    ["a newline", { source: "a/b\nc", sourceType: "github" }],
    ["a password", { source: "https://u:p@h/x", sourceUrl: "https://u:p@h/x", sourceType: "git" }],
    ["a file as index", { source: "h", sourceUrl: "file:///etc", sourceType: "well-known" }],
    ["an unknown type", { source: "x", sourceType: "oci" }],
    ["a ref that is an option", { source: "a/b", sourceType: "github", ref: "--x" }],
    ["a ref that is no text", { source: "a/b", sourceType: "github", ref: 5 as unknown as string }],
  ])("K-05 takes nothing from %s", (_, entry) => {
    expect(originOfShared(entry)).toBeUndefined();
  });
});
