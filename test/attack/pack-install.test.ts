import { generateKeyPairSync } from "node:crypto";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  installSkills,
  type LockFile,
  outdatedSkills,
  packSkills,
  pruneRoot,
  restoreSkills,
  signPack,
  undoLast,
  uninstallSkills,
  updateSkills,
} from "@skillwright/packs";
import { describe, expect, it } from "vitest";
import { combineDigests } from "@skillwright/core/internal";
import { hostileZip } from "../support/hostile-zip.ts";
import { done, PackWorld, refused, treeOf } from "../support/pack-world.ts";
import { skillText } from "../support/skill-tree.ts";

async function installed(): Promise<PackWorld> {
  const world = new PackWorld();
  world.skills("pack", { dates: { "a.md": "a" } });
  done(await installSkills("./pack", world.session));
  return world;
}

/** Everything that acts on a root and its lock. */
const COMMANDS = {
  restore: (world: PackWorld) => restoreSkills(world.session),
  "restore with force": (world: PackWorld) => restoreSkills({ ...world.session, force: true }),
  "frozen restore": (world: PackWorld) => restoreSkills({ ...world.session, frozen: true }),
  update: (world: PackWorld) => updateSkills(world.session),
  "update with force": (world: PackWorld) => updateSkills({ ...world.session, force: true }),
  outdated: (world: PackWorld) => outdatedSkills(world.session),
  uninstall: (world: PackWorld) => uninstallSkills({ ...world.session, names: ["dates"] }),
  install: (world: PackWorld) => installSkills("./pack", { ...world.session, force: true }),
  prune: (world: PackWorld) => pruneRoot({ ...world.session, keep: 0 }),
};
const EACH_COMMAND = Object.entries(COMMANDS);

/** All but the project, and of the project all but the skills. */
function surroundings(world: PackWorld): Record<string, string> {
  const all = Object.entries(treeOf(world.folder));
  const own = /^(?:state|project\/\.agent|project\/skills-lock\.json)(?:\/|$)/;
  return Object.fromEntries(all.filter(([path]) => !own.test(path)));
}

describe("a lock that somebody else wrote", () => {
  type Skill = LockFile["skills"][string];
  const edited = (
    world: PackWorld,
    change: (skill: Skill) => object,
    key = ".agent/skills/dates",
  ) =>
    JSON.stringify({
      schemaVersion: 1,
      skills: { [key]: change(world.lock.skills[".agent/skills/dates"]!) },
    });

  const invalid: readonly (readonly [string, (world: PackWorld) => string])[] = [
    ["a key that leads up", (world) => edited(world, (skill) => skill, "../outside")],
    [
      "a key that leads up inside",
      (world) => edited(world, (skill) => skill, ".agent/skills/../../.."),
    ],
    ["an absolute key", (world) => edited(world, (skill) => skill, "/etc/evil")],
    ["a key in .git", (world) => edited(world, (skill) => skill, ".git/hooks")],
    [
      "a key in the state folder",
      (world) => edited(world, (skill) => skill, ".agent/skills/.skillwright/x"),
    ],
    [
      "a key of an escape sequence",
      (world) => edited(world, (skill) => skill, ".agent/skills/a\u001b[2J"),
    ],
    ["a key with a backslash", (world) => edited(world, (skill) => skill, ".agent\\skills\\x")],
    ["an empty key", (world) => edited(world, (skill) => skill, "")],
    [
      "__proto__ as key",
      (world) => edited(world, (skill) => skill).replace(".agent/skills/dates", "__proto__"),
    ],
    [
      "__proto__ as file",
      (world) => edited(world, (skill) => skill).replace('"a.md"', '"__proto__"'),
    ],
    [
      "a file that leads up",
      (world) => edited(world, (skill) => skill).replace('"a.md"', '"../../../a.md"'),
    ],
    ["an absurd digest", (world) => edited(world, (skill) => ({ ...skill, digest: "sha256:00" }))],
    [
      "the digest of others",
      (world) => edited(world, (skill) => ({ ...skill, digest: `sha256:${"0".repeat(64)}` })),
    ],
    ["no digest", (world) => edited(world, (skill) => ({ ...skill, digest: undefined }))],
    ["files that are none", (world) => edited(world, (skill) => ({ ...skill, files: ["a"] }))],
    [
      "a skillPath that leads up",
      (world) => edited(world, (skill) => ({ ...skill, skillPath: "../.." })),
    ],
    [
      "an unknown kind of origin",
      (world) =>
        edited(world, (skill) => ({ ...skill, origin: { type: "shell", source: "rm -rf" } })),
    ],
    ["another version", () => JSON.stringify({ schemaVersion: 2, skills: {} })],
    ["an array", () => "[]"],
    ["no JSON", () => "{"],
    [
      "a depth without end",
      () => `{"schemaVersion":1,"skills":{},"x":${"[".repeat(5000)}${"]".repeat(5000)}}`,
    ],
  ];
  it.each(invalid)(
    "K-05 with %s is refused by every command, and nothing is done",
    async (_, textOf) => {
      const world = await installed();
      writeFileSync(world.scope.lockFile, textOf(world));
      world.write({ "pack/dates/a.md": "new" });
      const before = treeOf(world.folder);
      for (const [name, run] of EACH_COMMAND) {
        const failure = refused(await run(world));
        expect(failure.code, name).toBe("lock-invalid");
        // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
        expect(failure.message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
        expect(treeOf(world.folder), name).toEqual(before);
      }
    },
  );

  const misleading: readonly (readonly [string, (skill: Skill) => object, string])[] = [
    ["a place that is no root", (skill) => skill, "src"],
    ["the root itself as place", (skill) => skill, ".agent/skills"],
    ["the folder above the root as place", (skill) => skill, ".agent"],
    ["a dotted place", (skill) => skill, ".agent/skills/.hidden"],
    [
      "a name that leads out",
      (skill) => ({ ...skill, name: "../../../outside" }),
      ".agent/skills/dates",
    ],
    [
      "a source that is a command",
      (skill) => ({ ...skill, origin: { type: "git", source: "ext::sh -c touch% pwned" } }),
      ".agent/skills/other",
    ],
    [
      "a source that is an option",
      (skill) => ({ ...skill, origin: { type: "git", source: "--upload-pack=touch pwned" } }),
      ".agent/skills/other",
    ],
    [
      "a version that is an option",
      (skill) => ({ ...skill, origin: { type: "git", source: "../pack", ref: "--output=pwned" } }),
      ".agent/skills/other",
    ],
    [
      "a source elsewhere with other content",
      (skill) => ({ ...skill, origin: { type: "local", source: "../outside" } }),
      ".agent/skills/other",
    ],
    [
      "a link out of the project",
      (skill) => ({ ...skill, linked: true, origin: { type: "local", source: "../outside" } }),
      ".agent/skills/other",
    ],
  ];
  it.each(misleading)("K-05 with %s reaches nothing outside the root", async (_, change, key) => {
    const world = await installed();
    world.write({ "project/src/index.ts": "mine", "outside/SKILL.md": skillText("outside") });
    writeFileSync(world.scope.lockFile, edited(world, change, key));
    const before = surroundings(world);
    for (const [name, run] of EACH_COMMAND) {
      const result = await run(world);
      expect(result.ok ? "" : result.message, name).not.toContain("undefined");
      expect(surroundings(world), name).toEqual(before);
    }
    expect(existsSync(world.path("pwned"))).toBe(false);
    expect(existsSync(world.path("project/pwned"))).toBe(false);
    expect(existsSync(join(world.scope.root, "other"))).toBe(false);
  });

  it("K-05 that has one skill at two places is refused", async () => {
    const world = await installed();
    const skill = world.lock.skills[".agent/skills/dates"]!;
    const skills = { ".agent/skills/x/dates": skill, ".agent/skills/y/dates": skill };
    writeFileSync(world.scope.lockFile, JSON.stringify({ schemaVersion: 1, skills }));
    const before = world.project;
    expect(refused(await restoreSkills(world.session)).code).toBe("lock-invalid");
    expect(world.project).toEqual(before);
  });

  it("K-05 cannot name a file that hides in the digest", async () => {
    const world = await installed();
    const skill = world.lock.skills[".agent/skills/dates"]!;
    const files = { "SKILL.md": skill.files["SKILL.md"]!, "b.md": "0".repeat(64) };
    const digest = combineDigests(
      Object.entries(files).map(([path, sha256]) => ({ path, sha256, size: 0 })),
    );
    const entry = { ...skill, files, digest };
    const lock = { schemaVersion: 1, skills: { ".agent/skills/dates": entry } };
    writeFileSync(world.scope.lockFile, JSON.stringify(lock));
    const before = world.project;
    expect(refused(await restoreSkills({ ...world.session, force: true })).code).toBe(
      "digest-mismatch",
    );
    expect(world.project).toEqual(before);
  });

  const SHARED: readonly (readonly [string, object])[] = [
    [
      "a path that leads up",
      { source: "../pack", sourceType: "local", skillPath: "../../SKILL.md" },
    ],
    ["a command", { source: "ext::sh -c touch% pwned", sourceType: "git" }],
    ["an option", { source: "--upload-pack=x", sourceType: "git", sourceUrl: "--upload-pack=x" }],
    ["an unknown kind", { source: "x", sourceType: "shell" }],
    ["another hash", { source: "../pack", sourceType: "local", computedHash: "0".repeat(64) }],
    ["a password", { source: "https://a:b@example.com/x", sourceType: "git" }],
  ];
  it.each(SHARED)(
    "K-05 of other clients with %s is refused, and nothing is installed",
    async (_, entry) => {
      const world = new PackWorld();
      world.skills("pack", { dates: {}, times: {} });
      const good = { source: "../pack", sourceType: "local" };
      const lock = { version: 1, skills: { dates: entry, times: good } };
      writeFileSync(world.scope.sharedLockFile!, JSON.stringify(lock));
      const before = world.project;
      expect(refused(await restoreSkills(world.session)).code).toMatch(
        /^(?:lock-invalid|digest-mismatch|source-invalid)$/,
      );
      expect(world.project).toEqual(before);
      expect(existsSync(world.path("pwned"))).toBe(false);
    },
  );
});

describe("links that a project brings along", () => {
  const planted: readonly (readonly [string, string, string])[] = [
    ["the root leads out", ".agent/skills", "outside"],
    ["the folder above leads out", ".agent", "outside"],
    ["the state folder leads out", ".agent/skills/.skillwright", "outside"],
  ];
  it.each(planted)(
    "K-05 %s: refused by every command, nothing outside is touched",
    async (_, place, target) => {
      const world = new PackWorld();
      world.skills("pack", { dates: {} });
      world.write({ "outside/dates/SKILL.md": skillText("dates"), "outside/skills/x": "x" });
      mkdirSync(join(world.base, place, ".."), { recursive: true });
      symlinkSync(world.path(target), join(world.base, place));
      const before = treeOf(world.path("outside"), { times: true });
      const { outdated: _reading, ...changing } = COMMANDS;
      const all = {
        ...changing,
        "dry install": (own: PackWorld) =>
          installSkills("./pack", { ...own.session, dryRun: true }),
        "dry uninstall": (own: PackWorld) =>
          uninstallSkills({ ...own.session, names: ["dates"], dryRun: true }),
        undo: (own: PackWorld) => undoLast(own.session),
      };
      for (const [name, run] of Object.entries(all)) {
        const result = await run(world);
        expect(refused(result).code, name).toMatch(/^(?:root-unwritable|lock-invalid)$/);
        expect(treeOf(world.path("outside"), { times: true }), name).toEqual(before);
      }
    },
  );

  it("K-05 the folder of a skill leads out: it is replaced or removed as a link", async () => {
    const world = await installed();
    rmSync(join(world.scope.root, "dates"), { recursive: true });
    cpSync(world.path("pack/dates"), world.path("outside/dates"), { recursive: true });
    symlinkSync(world.path("outside/dates"), join(world.scope.root, "dates"));
    world.write({ "pack/dates/a.md": "new" });
    const before = treeOf(world.path("outside"), { times: true });
    expect(done(await restoreSkills(world.session))).toMatchObject({
      changed: false,
      problems: [{ code: "local-edits" }],
    });
    expect(refused(await restoreSkills({ ...world.session, frozen: true })).code).toBe(
      "lock-differs",
    );
    expect(refused(await updateSkills(world.session)).code).toBe("local-edits");
    expect(refused(await installSkills("./pack", world.session)).code).toBe("name-taken");
    done(await updateSkills({ ...world.session, force: true }));
    expect(world.installed("dates/a.md")).toBe("new");
    done(await undoLast(world.session));
    done(await uninstallSkills({ ...world.session, names: ["dates"] }));
    expect(treeOf(world.path("outside"), { times: true })).toEqual(before);
  });

  it.each(["skills.lock.json", "../skills-lock.json"])(
    "K-05 the lock %s is a link: what it leads to is not written",
    async (file) => {
      const world = new PackWorld();
      world.skills("pack", { dates: {} });
      mkdirSync(world.path("project/.agent"));
      symlinkSync(world.path("outside/secret.txt"), world.path("project/.agent", file));
      for (const [name, run] of EACH_COMMAND) {
        await run(world);
        expect(treeOf(world.path("outside")), name).toEqual({ "secret.txt": "644 secret" });
      }
    },
  );

  it("K-05 links inside a skill that stands there are not followed", async () => {
    const world = await installed();
    symlinkSync(world.path("outside"), join(world.scope.root, "dates/way-out"));
    const before = treeOf(world.path("outside"), { times: true });
    world.write({ "pack/dates/a.md": "new" });
    expect(refused(await updateSkills(world.session)).code).toBe("local-edits");
    done(await installSkills("./pack", { ...world.session, force: true }));
    done(await undoLast(world.session));
    done(await uninstallSkills({ ...world.session, names: ["dates"] }));
    expect(treeOf(world.path("outside"), { times: true })).toEqual(before);
  });
});

/** Where the one skill went, or why not. */
function outcomeOf(result: Awaited<ReturnType<typeof installSkills>>): string {
  return result.ok ? result.skills.map(({ path }) => path).join() : result.code;
}

describe("names of skills", () => {
  const PLAIN = ".agent/skills/plain";
  it.each([
    ["../evil", PLAIN],
    ["..", PLAIN],
    [".hidden", PLAIN],
    ["/etc/evil", PLAIN],
    ["a/b", PLAIN],
    ["a\\b", PLAIN],
    ["CON", PLAIN],
    [".skillwright", PLAIN],
    ["__proto__", PLAIN],
    ["a\u0000b", PLAIN],
    ["a\u202eb", PLAIN],
    ["evil ", ".agent/skills/evil"],
    ["x".repeat(300), PLAIN],
  ])("K-05 %j in the frontmatter does not become a path", async (name, outcome) => {
    const world = new PackWorld();
    const text = `---\nname: ${JSON.stringify(name)}\ndescription: Does it. Use when asked.\n---\n# Steps\n`;
    writeFileSync(world.path("pack.zip"), hostileZip([{ name: "plain/SKILL.md", content: text }]));
    const before = surroundings(world);
    const result = await installSkills("./pack.zip", { ...world.session, failOn: "never" });
    expect(outcomeOf(result)).toBe(outcome);
    expect(surroundings(world)).toEqual(before);
  });

  it.each([
    [".hidden", "skill-invalid"],
    ["..dots", "skill-invalid"],
    ["a folder", ".agent/skills/a folder"],
  ])("K-05 the folder %j of a skill without a name", async (folder, outcome) => {
    const world = new PackWorld();
    world.write({
      [`pack/${folder}/SKILL.md`]: "---\ndescription: Does it. Use when asked.\n---\n# Steps\n",
    });
    const before = surroundings(world);
    const result = await installSkills("./pack", world.session);
    expect(outcomeOf(result)).toBe(outcome);
    expect(surroundings(world)).toEqual(before);
  });
});

describe("a pack that lies", () => {
  const key = () =>
    generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;

  async function pack(world: PackWorld, output: string, layout: "pack" | "folders" = "pack") {
    const root = world.path("pack");
    return done(await packSkills({ root, output: world.path(output), format: "zip", layout }));
  }

  it.each<[string, (manifest: string) => string]>([
    ["other hashes", (text) => text.replace(/[0-9a-f]{64}/, "0".repeat(64))],
    ["a file that is not there", (text) => text.replaceAll('"a.md"', '"b.md"')],
    ["another name", (text) => text.replaceAll('"dates"', '"times"')],
    ["a path that leads up", (text) => text.replaceAll('"dates"', '"../dates"')],
    ["nothing that can be read", () => '{"schemaVersion":1,"skills":'],
  ])("K-05 in its manifest with %s is refused", async (_, lie) => {
    const world = new PackWorld();
    world.skills("pack", { dates: { "a.md": "a" } });
    const { manifest } = await pack(world, "honest.zip");
    const files = [
      { name: "manifest.json", content: lie(JSON.stringify(manifest)) },
      { name: "dates/SKILL.md", content: skillText("dates") },
      { name: "dates/a.md", content: "a" },
    ];
    writeFileSync(world.path("pack.zip"), hostileZip(files));
    const before = world.project;
    const result = await installSkills("./pack.zip", world.session);
    expect(refused(result).code).toMatch(/^(?:digest-mismatch|lock-invalid)$/);
    expect(world.project).toEqual(before);
  });

  it("K-05 with the signature of another pack, or one that is damaged, is refused", async () => {
    const world = new PackWorld();
    world.skills("pack", { dates: {} });
    await pack(world, "one.zip");
    const { publicKey } = done(await signPack({ pack: world.path("one.zip"), key: key() }));
    world.write({ "pack/dates/evil.md": "evil" });
    await pack(world, "two.zip");
    cpSync(world.path("one.zip.sig"), world.path("two.zip.sig"));
    const before = world.project;
    for (const options of [
      {},
      { trustedKeys: [publicKey] },
      { requireSignature: true, trustedKeys: [publicKey] },
    ]) {
      const failure = refused(await installSkills("./two.zip", { ...world.session, ...options }));
      expect(failure.code).toBe("signature-invalid");
    }
    writeFileSync(world.path("two.zip.sig"), "no signature");
    expect(refused(await installSkills("./two.zip", world.session)).code).toBe("signature-invalid");
    expect(world.project).toEqual(before);
  });

  it("K-05 by somebody else, or by nobody where a signature is required, is refused", async () => {
    const world = new PackWorld();
    world.skills("pack", { dates: {} });
    await pack(world, "one.zip");
    await pack(world, "folders.zip", "folders");
    const trusted = done(await signPack({ pack: world.path("one.zip"), key: key() })).publicKey;
    done(await signPack({ pack: world.path("one.zip"), key: key(), force: true }));
    const options = { ...world.session, trustedKeys: [trusted] };
    expect(refused(await installSkills("./one.zip", options)).code).toBe("signer-unknown");
    rmSync(world.path("one.zip.sig"));
    const required = { ...options, requireSignature: true };
    for (const source of ["./one.zip", "./folders.zip", "./pack"]) {
      expect(refused(await installSkills(source, required)).code).toBe("signature-invalid");
    }
    expect(existsSync(world.scope.lockFile)).toBe(false);
  });
});

describe("a source inside the target", () => {
  it("K-05 an archive and a folder in the root can be installed, and never eat themselves", async () => {
    const world = await installed();
    done(
      await packSkills({
        root: world.path("pack"),
        output: join(world.scope.root, "pack.zip"),
        format: "zip",
      }),
    );
    world.skills("project/.agent/skills/vendor", { times: {} });
    const session = { ...world.session, cwd: world.scope.root };
    expect(done(await installSkills("./pack.zip", session)).skills[0]!.status).toBe("unchanged");
    expect(done(await installSkills("./vendor", session)).skills[0]!.status).toBe("installed");
    expect(refused(await installSkills("./times", session)).code).toBe("source-invalid");
    expect(refused(await installSkills(".", { ...session, all: true, force: true })).ok).toBe(
      false,
    );
    expect(world.installed("vendor/times/SKILL.md")).toBe(skillText("times"));
    expect(world.installed("dates/a.md")).toBe("a");
  });

  it("K-05 a skill that holds the root is not copied into itself", async () => {
    const world = new PackWorld();
    world.write({ "project/SKILL.md": skillText("project") });
    const before = world.project;
    for (const options of [{}, { link: true }, { dryRun: true }]) {
      const result = await installSkills("./project", { ...world.session, ...options });
      expect(refused(result).code).toBe("source-invalid");
      expect(world.project).toEqual(before);
    }
  });
});
