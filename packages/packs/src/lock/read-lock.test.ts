import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { type LockedSkill, type LockFile, readLock } from "../index.ts";
import { lockedSkill, parseLock, renderLock } from "./index.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

function skill(name: string, files: readonly string[] = ["SKILL.md", "a.md"]): LockedSkill {
  return lockedSkill({
    name,
    origin: {
      type: "git",
      source: "acme/skills",
      ref: "main",
      resolved: sha256(name).slice(0, 40),
    },
    skillPath: `skills/${name}`,
    files: files.map((path) => ({ path, sha256: sha256(name + path) })),
  });
}

function lockOf(...names: string[]): LockFile {
  const skills = names.map((name) => [`.agent/skills/${name}`, skill(name)] as const);
  return { schemaVersion: 1, skills: Object.fromEntries(skills) };
}

function scopeWith(text?: string) {
  const base = temporaryFolder(text === undefined ? {} : { ".agent/skills.lock.json": text });
  return { base, lockFile: join(base, ".agent/skills.lock.json") };
}

type Open = Record<string, unknown>;
type OpenSkill = Open & { files: Open; origin: Open };

/** The text of a good lock with something in it put in another's place. */
function changed(change: (skill: OpenSkill, lock: Open) => void): string {
  const lock = JSON.parse(renderLock(lockOf("pdf"))) as Open;
  change((lock["skills"] as Record<string, OpenSkill>)[PDF]!, lock);
  return JSON.stringify(lock);
}

const PDF = ".agent/skills/pdf";

describe("reading", () => {
  it("K-04 gives an empty lock where there is no file", () => {
    expect(readLock(scopeWith())).toEqual({ ok: true, lock: { schemaVersion: 1, skills: {} } });
    const base = join(temporaryFolder(), "not-made-yet");
    expect(readLock({ base, lockFile: join(base, "skills.lock.json") })).toMatchObject({
      ok: true,
    });
  });

  it("K-04 gives what was written, and its text", () => {
    const text = renderLock(lockOf("pdf", "docx"));
    const read = readLock(scopeWith(text));
    expect(read).toMatchObject({ ok: true, text });
    expect(read.ok && read.lock).toEqual(lockOf("pdf", "docx"));
  });

  it("K-04 keeps fields that are not known here, at every level", () => {
    const text = changed((skill, lock) => {
      lock["later"] = { b: [1], a: null };
      skill["pinned"] = true;
      skill.origin["mirror"] = ["x"];
    });
    const read = parseLock(text, "lock");
    const again = read.ok ? renderLock(read.lock) : "";
    expect(JSON.parse(again)).toEqual(JSON.parse(text));
    expect(parseLock(again, "lock")).toMatchObject({ ok: true, text: again });
  });

  it.each<[string, string, string]>([
    ["another version", '{"schemaVersion":2,"skills":{}}', "schemaVersion is 2"],
    ["no version", '{"skills":{}}', "schemaVersion is missing"],
    ["a list", "[]", "must be a JSON object"],
    ["no JSON", "{", "is not JSON"],
    ["an empty file", "", "is not JSON"],
    ["no skills", '{"schemaVersion":1}', "skills must be an object"],
    ["a null skill", `{"schemaVersion":1,"skills":{"${PDF}":null}}`, "must be an object"],
  ])("K-05 refuses %s and says where", (_, text, message) => {
    const read = readLock(scopeWith(text));
    expect(read).toMatchObject({ ok: false, code: "lock-invalid" });
    expect(!read.ok && read.message).toContain(message);
    expect(!read.ok && read.message).toContain("skills.lock.json");
  });

  it.each([
    "../outside",
    ".agent/../../outside",
    "/etc",
    "C:/x",
    "c:x",
    "a\\..\\b",
    "",
    ".",
    "a//b",
    "a/./b",
    "a/",
    "__proto__",
    "a/__proto__",
    ".git",
    ".GIT/hooks",
    ".agent/skills/.skillwright/x",
    "a\u0000b",
    "a\u001b[2Jb",
    "a\ud800b",
    "x".repeat(2000),
  ])("K-05 refuses the folder %j", (path) => {
    const entry = JSON.stringify(skill("pdf"));
    const text = `{"schemaVersion":1,"skills":{${JSON.stringify(path)}:${entry}}}`;
    const read = parseLock(text, "lock");
    expect(read).toMatchObject({ ok: false, code: "lock-invalid" });
    // oxlint-disable-next-line no-control-regex -- none may reach a terminal
    expect(!read.ok && read.message).not.toMatch(/[\u0000-\u001f]/);
  });

  it.each<[string, (skill: OpenSkill) => void, string]>([
    ["a file above it", (e) => (e.files["../x"] = sha256("")), '.files["../x"]'],
    ["an absolute file", (e) => (e.files["/etc/passwd"] = sha256("")), "is absolute"],
    ["a hash that is short", (e) => (e.files["a.md"] = "abc"), "64 hexadecimal digits"],
    ["a hash in capitals", (e) => (e.files["a.md"] = "A".repeat(64)), "64 hexadecimal"],
    ["a hash that is a number", (e) => (e.files["a.md"] = 1), "64 hexadecimal digits"],
    ["another digest", (e) => (e["digest"] = `sha256:${sha256("x")}`), ".digest is not that"],
    ["another file hash", (e) => (e.files["a.md"] = sha256("x")), ".digest is not that"],
    ["no name", (e) => delete e["name"], ".name must be a text"],
    ["an unknown origin", (e) => (e.origin["type"] = "ftp"), ".origin.type must be one of"],
    ["an origin without source", (e) => delete e.origin["source"], ".origin.source"],
    ["a path of origin upwards", (e) => (e.origin["path"] = "../x"), ".origin.path leads upwards"],
    ["a bad integrity", (e) => (e.origin["integrity"] = "sha1:x"), ".origin.integrity"],
    ["a skill path upwards", (e) => (e["skillPath"] = "a/../../b"), ".skillPath leads upwards"],
    ["linked: false", (e) => (e["linked"] = false), ".linked must be true or absent"],
    ["controls in the signer", (e) => (e["signer"] = "a\u001b[2J"), ".signer must be a text"],
  ])("K-05 refuses %s", (_, change, message) => {
    const text = changed(change);
    const read = parseLock(text, "lock");
    expect(read).toMatchObject({ ok: false, code: "lock-invalid" });
    expect(!read.ok && read.message).toContain(`skills["${PDF}"]`);
    expect(!read.ok && read.message).toContain(message);
  });

  it("K-05 refuses prototypes and bottomless values in fields that are not known", () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    for (const field of ['"__proto__":{}', '"later":{"a":{"__proto__":1}}', `"later":${deep}`]) {
      const read = parseLock(`{"schemaVersion":1,"skills":{},${field}}`, "lock");
      expect(read).toMatchObject({ ok: false, code: "lock-invalid" });
    }
  });

  it("K-04 keeps a file that is named like a prototype as any other", () => {
    const odd = skill("odd", ["SKILL.md", "__proto__", "constructor", "10", "9"]);
    const text = renderLock({ schemaVersion: 1, skills: { odd } });
    const read = parseLock(text, "lock");
    expect(read.ok && renderLock(read.lock)).toBe(text);
    expect(read.ok && Object.keys(read.lock.skills["odd"]!.files).sort()).toEqual(
      ["10", "9", "SKILL.md", "__proto__", "constructor"].sort(),
    );
    expect(read.ok && read.lock.skills["toString"]).toBeUndefined();
  });

  it("K-05 says that a merge is not finished, and what to do", () => {
    const text = renderLock(lockOf("pdf")).replace("{", "{\n<<<<<<< HEAD\n=======\n>>>>>>> other");
    const read = readLock(scopeWith(text));
    expect(read).toMatchObject({ ok: false, code: "lock-invalid" });
    expect(!read.ok && read.message).toContain("merge conflict");
    expect(!read.ok && read.hint).toContain("git checkout --ours");
  });

  it("K-05 does not read a huge file, a FIFO, a folder, or through a link that leads out", () => {
    const huge = scopeWith("{");
    truncateSync(huge.lockFile, 100 * 1024 * 1024);
    expect(readLock(huge)).toMatchObject({ ok: false, code: "lock-invalid" });

    const pipe = scopeWith();
    mkdirSync(join(pipe.base, ".agent"));
    execFileSync("mkfifo", [pipe.lockFile]);
    expect(readLock(pipe)).toMatchObject({ ok: false, code: "lock-invalid" });

    const folder = scopeWith();
    mkdirSync(folder.lockFile, { recursive: true });
    expect(readLock(folder)).toMatchObject({ ok: false, code: "lock-invalid" });

    const outside = temporaryFolder({ "skills.lock.json": renderLock(lockOf("pdf")) });
    const linked = scopeWith();
    symlinkSync(outside, join(linked.base, ".agent"));
    expect(readLock(linked)).toMatchObject({ ok: false, code: "lock-invalid" });

    const dangling = scopeWith();
    mkdirSync(join(dangling.base, ".agent"));
    symlinkSync("nowhere", dangling.lockFile);
    expect(readLock(dangling)).toMatchObject({ ok: false, code: "lock-invalid" });
  });

  it("K-04 follows a link that stays below the base", () => {
    const base = temporaryFolder({ "shared/skills.lock.json": renderLock(lockOf("pdf")) });
    symlinkSync("shared", join(base, ".agent"));
    const read = readLock({ base, lockFile: join(base, ".agent/skills.lock.json") });
    expect(read.ok && Object.keys(read.lock.skills)).toEqual([PDF]);
  });
});

describe("rendering", () => {
  const segment = fc.stringMatching(/^[a-z0-9é𐍈～_-]{1,8}$/u);
  const locks = fc
    .dictionary(
      fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
      fc.record({
        name: segment,
        source: fc.stringMatching(/^[ -~é]{1,20}$/u),
        files: fc.uniqueArray(segment, { maxLength: 5 }),
        linked: fc.boolean(),
      }),
      { maxKeys: 6 },
    )
    .map((entries): LockFile => {
      const skills = Object.entries(entries).map(([path, { name, source, files, linked }]) => {
        const parts = files.map((file) => ({ path: file, sha256: sha256(file) }));
        const origin = { type: "local", source } as const;
        return [path, lockedSkill({ name, origin, skillPath: "", files: parts, linked })] as const;
      });
      return { schemaVersion: 1, skills: Object.fromEntries(skills) };
    });

  it("K-04 reading and rendering are inverse, and the order of building plays no part", () => {
    fc.assert(
      fc.property(locks, (lock) => {
        const text = renderLock(lock);
        const read = parseLock(text, "lock");
        expect(read.ok && renderLock(read.lock)).toBe(text);
        expect(read.ok && read.lock).toEqual(lock);
        const reversed = Object.fromEntries(Object.entries(lock.skills).reverse());
        expect(renderLock({ skills: reversed, schemaVersion: 1 })).toBe(text);
      }),
    );
  });

  it("K-04 is plain JSON with two spaces and a newline, in byte order", () => {
    const text = renderLock(lockOf("b", "a", "10", "9"));
    expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
    expect([...text.matchAll(/^ {4}"(.*)": \{$/gm)].map(([, path]) => path)).toEqual(
      ["10", "9", "a", "b"].map((name) => `.agent/skills/${name}`),
    );
    expect(renderLock({ schemaVersion: 1, skills: {} })).toBe(
      '{\n  "schemaVersion": 1,\n  "skills": {}\n}\n',
    );
  });

  it.each([
    ["at different places", ["a", "m", "z"], ["a", "b", "m", "z"], ["a", "m", "n", "z"]],
    ["one of them at the end", ["a", "m", "n"], ["a", "b", "m", "n"], ["a", "m", "n", "z"]],
    ["one removed, one added", ["a", "c", "m", "z"], ["a", "m", "z"], ["a", "c", "m", "n", "z"]],
  ])("K-04 what two branches change %s merges by git", (_, base, ours, theirs) => {
    const folder = temporaryFolder();
    const files = [ours, base, theirs].map((names, index) => {
      writeFileSync(join(folder, `${index}`), renderLock(lockOf(...names)));
      return join(folder, `${index}`);
    });
    const merged = execFileSync("git", ["merge-file", "-p", ...files], { encoding: "utf8" });
    const expected = ours.filter((n) => theirs.includes(n) || !base.includes(n));
    const added = theirs.filter((n) => !base.includes(n));
    expect(merged).toBe(renderLock(lockOf(...expected, ...added)));
  });

  it("K-05 what two branches add at the same place is a conflict that is told", () => {
    const folder = temporaryFolder({
      ours: renderLock(lockOf("a", "b")),
      base: renderLock(lockOf("a")),
      theirs: renderLock(lockOf("a", "c")),
    });
    const files = ["ours", "base", "theirs"].map((name) => join(folder, name));
    expect(() => execFileSync("git", ["merge-file", ...files])).toThrow("Command failed");
    const read = readLock({ base: folder, lockFile: files[0]! });
    expect(!read.ok && read.message).toContain("merge conflict");
  });
});
