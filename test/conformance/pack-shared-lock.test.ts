import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  installSkills,
  packSkills,
  restoreSkills,
  uninstallSkills,
  updateSkills,
} from "@skillwright/packs";
import { describe, expect, it } from "vitest";
import { GitRepository } from "../support/git-repository.ts";
import { done, PackWorld, refused, statuses, treeOf } from "../support/pack-world.ts";
import { webSite } from "../support/web-site.ts";

/**
 * Hashes and files as the peer wrote them, npm's `skills` 1.7.4; `shared-lock.test.ts` says how. Only
 * the addresses are those of this test.
 */
const GOLDEN_HASH = "90c3461b5df8cac9898878e091c78696d652ed7afd024a8d898cf041f0104ecd";
const PLAIN_HASH = "2e7122439d638d56de6a294c6995ca88c98f6afddb9f590f2967246e5faa7d44";

const PLAIN = {
  "SKILL.md": "---\nname: plain\ndescription: A plain skill for values.\n---\n\n# Plain\n",
};
const GOLDEN: Readonly<Record<string, string>> = {
  "SKILL.md": "---\nname: golden\ndescription: A skill for golden values.\n---\n\n# Golden\n",
  "B.md": "b",
  "a.md": "a",
  "empty.txt": "",
  "item10.md": "10",
  "item9.md": "9",
  "references/Z.md": "upper",
  "references/a-b.md": "lower",
  "references/a_b.md": "x",
  "references/é/z.md": "zz",
  "references/é/ä.md": "accent",
  "scripts/run.sh": "#!/bin/sh\necho 1\n",
};

function lockOf(skills: Readonly<Record<string, object>>): string {
  return `${JSON.stringify({ version: 1, skills }, null, 2)}\n`;
}

const localLock = lockOf({
  golden: { source: "../src", sourceType: "local", computedHash: GOLDEN_HASH },
  plain: { source: "../src", sourceType: "local", computedHash: PLAIN_HASH },
});

const gitLock = (url: string) => {
  const entry = (name: string, computedHash: string) => ({
    source: url,
    sourceUrl: url,
    sourceType: "git",
    skillPath: `skills/${name}/SKILL.md`,
    computedHash,
  });
  return lockOf({ golden: entry("golden", GOLDEN_HASH), plain: entry("plain", PLAIN_HASH) });
};

function sourceFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [path, text] of Object.entries(GOLDEN)) files[`skills/golden/${path}`] = text;
  for (const [path, text] of Object.entries(PLAIN)) files[`skills/plain/${path}`] = text;
  return files;
}

const BINARY = Buffer.from([0, 1, 255]);

function world(): PackWorld {
  const own = new PackWorld();
  for (const [path, text] of Object.entries(sourceFiles())) own.write({ [`src/${path}`]: text });
  writeFileSync(own.path("src/skills/golden/data.bin"), BINARY);
  return own;
}

function expectRestored(own: PackWorld, text: string): void {
  for (const [path, content] of Object.entries(GOLDEN)) {
    expect(own.installed(`golden/${path}`)).toBe(content);
  }
  expect(own.installed("plain/SKILL.md")).toBe(PLAIN["SKILL.md"]);
  expect(Object.keys(own.lock.skills)).toEqual([".agent/skills/golden", ".agent/skills/plain"]);
  // What we write beside our own lock is what the peer had written.
  expect(readFileSync(own.scope.sharedLockFile!, "utf8")).toBe(text);
}

describe("a lock of the peer", () => {
  it("K-04 of a folder is restored, and byte for byte still theirs", async () => {
    const own = world();
    writeFileSync(own.scope.sharedLockFile!, localLock);
    const before = treeOf(own.folder, { times: true });
    const dry = done(await restoreSkills({ ...own.session, dryRun: true }));
    expect(treeOf(own.folder, { times: true })).toEqual(before);
    const { id, ...report } = done(await restoreSkills(own.session));
    expect({ ...dry, dryRun: false }).toEqual(report);
    expect(id, "one change, one undo").toEqual(expect.any(String));
    expect(statuses(report)).toEqual({ golden: "installed", plain: "installed" });
    expectRestored(own, localLock);
    rmSync(join(own.scope.root, "golden"), { recursive: true });
    done(await restoreSkills({ ...own.session, frozen: true }));
    expectRestored(own, localLock);
  });

  it("K-04 of a repository is restored", async () => {
    const own = world();
    const repository = new GitRepository(sourceFiles());
    mkdirSync(join(repository.folder, "skills/golden"), { recursive: true });
    writeFileSync(join(repository.folder, "skills/golden/data.bin"), BINARY);
    repository.commit({});
    const text = gitLock(`file://${repository.folder}/.git`);
    writeFileSync(own.scope.sharedLockFile!, text);
    const report = await restoreSkills(own.session);
    expect(statuses(done(report))).toEqual({ golden: "installed", plain: "installed" });
    expectRestored(own, text);
    expect(own.lock.skills[".agent/skills/plain"]!.origin).toMatchObject({
      type: "git",
      resolved: repository.git("rev-parse", "HEAD"),
    });
  });

  it("K-04 of a well-known index is restored", async () => {
    const own = world();
    const site = await webSite();
    const output = own.path("site");
    done(await packSkills({ root: own.path("src/skills"), output, format: "well-known" }));
    for (const [path, content] of Object.entries(treeOf(output))) {
      if (content.startsWith("folder ")) continue;
      site.pages[`/${path}`] = readFileSync(join(output, path));
    }
    const text = lockOf({
      plain: {
        source: "127.0.0.1",
        sourceUrl: site.origin,
        sourceType: "well-known",
        computedHash: PLAIN_HASH,
      },
    });
    writeFileSync(own.scope.sharedLockFile!, text);
    expect(statuses(done(await restoreSkills(own.session)))).toEqual({ plain: "installed" });
    expect(own.sharedLock.skills["plain"]).toMatchObject({
      source: "127.0.0.1",
      sourceUrl: expect.stringMatching(new RegExp(`^${site.origin}/?$`)),
      sourceType: "well-known",
      computedHash: PLAIN_HASH,
    });
  });

  it("K-04 whose source went on is refused as a whole, and the next try is still all of it", async () => {
    const own = world();
    writeFileSync(own.scope.sharedLockFile!, localLock);
    own.write({ "src/skills/plain/more.md": "new" });
    const before = own.project;
    for (let attempt = 0; attempt < 2; attempt++) {
      const failure = refused(await restoreSkills(own.session));
      expect(failure).toMatchObject({
        code: "digest-mismatch",
        message: expect.stringContaining("plain"),
      });
      expect(own.project).toEqual(before);
    }
    rmSync(own.path("src/skills/plain/more.md"));
    done(await restoreSkills(own.session));
    expectRestored(own, localLock);
  });

  it("K-04 pins no content by itself, so frozen does not take it", async () => {
    const own = world();
    writeFileSync(own.scope.sharedLockFile!, localLock);
    expect(refused(await restoreSkills({ ...own.session, frozen: true })).code).toBe(
      "lock-differs",
    );
  });

  it("K-04 keeps what it has for others through our changes", async () => {
    const own = world();
    const foreign = {
      source: "someone/else",
      sourceType: "github",
      skillPath: "x/SKILL.md",
      computedHash: "0".repeat(64),
    };
    writeFileSync(
      own.scope.sharedLockFile!,
      `${JSON.stringify({ version: 1, extra: 1, skills: { zzz: foreign } }, null, 2)}\n`,
    );
    done(await installSkills("./src", { ...own.session, skills: ["plain"] }));
    expect(own.sharedLock).toMatchObject({ version: 1, extra: 1, skills: { zzz: foreign } });
    own.write({ "src/skills/plain/more.md": "new" });
    done(await updateSkills(own.session));
    expect(own.sharedLock.skills["plain"]!["computedHash"]).not.toBe(PLAIN_HASH);
    done(await uninstallSkills({ ...own.session, names: ["plain"] }));
    expect(own.sharedLock.skills).toEqual({ zzz: foreign });
  });

  it("K-04 of a later version is left alone, and said", async () => {
    const own = world();
    const text = '{"version":2,"skills":{}}';
    writeFileSync(own.scope.sharedLockFile!, text);
    const report = done(await installSkills("./src", { ...own.session, skills: ["plain"] }));
    expect(report.notes.join()).toContain("left as it is");
    expect(readFileSync(own.scope.sharedLockFile!, "utf8")).toBe(text);
  });
});

describe("our lock, by the definition of the format", () => {
  it("K-04 has version 1, sorted names, and of each skill what the format asks for", async () => {
    const own = world();
    const repository = new GitRepository({
      "deep/zones/SKILL.md": PLAIN["SKILL.md"].replace("plain", "zones"),
    });
    done(await installSkills("./src", { ...own.session, all: true }));
    done(await installSkills(`file://${repository.folder}/.git#main`, own.session));
    mkdirSync(dirname(own.path("zip/times/SKILL.md")), { recursive: true });
    own.skills("zip", { times: {} });
    done(await packSkills({ root: own.path("zip"), output: own.path("times.zip"), format: "zip" }));
    const report = done(await installSkills("./times.zip", own.session));
    expect(report.notes.join()).toContain(`leaves out what other clients cannot restore: "times"`);
    const lock = own.sharedLock as unknown as {
      version: number;
      skills: Record<string, Record<string, unknown>>;
    };
    expect(lock.version).toBe(1);
    expect(Object.keys(lock.skills)).toEqual(["golden", "plain", "zones"]);
    for (const entry of Object.values(lock.skills)) {
      expect(entry["computedHash"]).toMatch(/^[0-9a-f]{64}$/);
      expect(["local", "git"]).toContain(entry["sourceType"]);
      expect(typeof entry["source"]).toBe("string");
    }
    expect(lock.skills["golden"]).toEqual({
      source: "../src",
      sourceType: "local",
      computedHash: GOLDEN_HASH,
    });
    expect(lock.skills["zones"]).toMatchObject({
      sourceType: "git",
      ref: "main",
      skillPath: "deep/zones/SKILL.md",
    });
    // It alone is enough to get the same again.
    const { scope } = own;
    const golden = treeOf(join(scope.root, "golden"));
    rmSync(own.path("project/.agent"), { recursive: true });
    expect(statuses(done(await restoreSkills(own.session)))).toEqual({
      golden: "installed",
      plain: "installed",
      zones: "installed",
    });
    expect(treeOf(join(scope.root, "golden"))).toEqual(golden);
  });
});
