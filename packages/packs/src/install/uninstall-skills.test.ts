import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  done,
  PackWorld,
  refused,
  scopeAt,
  statuses,
  treeOf,
} from "../../../../test/support/pack-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { verifyInstalled } from "../verify/index.ts";
import {
  installSkills,
  pruneRoot,
  restoreSkills,
  undoLast,
  uninstallSkills,
  updateSkills,
} from "./index.ts";

async function installed(): Promise<PackWorld> {
  const world = new PackWorld();
  world.skills("pack", { dates: { "a.md": "a" }, times: { "b.md": "b" } });
  done(await installSkills("./pack", { ...world.session, all: true }));
  return world;
}

function uninstall(world: PackWorld, ...names: readonly string[]) {
  return uninstallSkills({ ...world.session, names });
}

describe("uninstall", () => {
  it.each(["dates", "DATES", ".agent/skills/dates"])("K-03 %s, with a backup", async (word) => {
    const world = await installed();
    const whole = world.project;
    const before = treeOf(world.folder, { times: true });
    const dry = done(await uninstallSkills({ ...world.session, names: [word], dryRun: true }));
    expect(treeOf(world.folder, { times: true })).toEqual(before);
    const { id, ...report } = done(await uninstall(world, word));
    expect({ ...dry, dryRun: false }).toEqual(report);
    expect(report.skills).toEqual([
      {
        name: "dates",
        path: ".agent/skills/dates",
        status: "removed",
        digest: expect.stringMatching(/^sha256:/),
      },
    ]);
    expect(readdirSync(world.scope.root).sort()).toEqual([".skillwright", "times"]);
    expect(Object.keys(world.lock.skills)).toEqual([".agent/skills/times"]);
    expect(Object.keys(world.sharedLock.skills)).toEqual(["times"]);
    const backup = join(world.scope.root, ".skillwright/backups", id!, "folders/dates/a.md");
    expect(existsSync(backup)).toBe(true);
    done(await undoLast(world.session));
    expect(world.project).toEqual(whole);
  });

  it("K-03 several at once, or none of them", async () => {
    const world = await installed();
    const before = world.project;
    expect(refused(await uninstall(world, "dates", "time"))).toMatchObject({
      code: "not-installed",
      candidates: expect.arrayContaining(["times"]),
    });
    expect(world.project).toEqual(before);
    const report = done(await uninstall(world, "dates", "times", ".agent/skills/dates"));
    expect(statuses(report)).toEqual({ dates: "removed", times: "removed" });
    expect(world.lock.skills).toEqual({});
  });

  it("K-03 local edits are in the backup too", async () => {
    const world = await installed();
    writeFileSync(join(world.scope.root, "dates/a.md"), "mine");
    done(await uninstall(world, "dates"));
    done(await undoLast(world.session));
    expect(world.installed("dates/a.md")).toBe("mine");
  });

  it("K-03 a skill that the lock does not know, by name or path; a folder that is none is not taken", async () => {
    const world = await installed();
    world.skills("project/.agent/skills", { mine: {}, own: {} });
    world.write({
      "project/.agent/skills/data/x.txt": "no skill",
      "project/.agent/skills/acme/deep/SKILL.md": skillText("deep"),
    });
    expect(statuses(done(await uninstall(world, "mine")))).toEqual({ mine: "removed" });
    expect(done(await uninstall(world, ".agent/skills/own")).skills[0]).toMatchObject({
      path: ".agent/skills/own",
    });
    expect(done(await uninstall(world, "acme/deep")).skills[0]).toMatchObject({
      path: ".agent/skills/acme/deep",
    });
    expect(existsSync(join(world.scope.root, "acme/deep"))).toBe(false);
    expect(refused(await uninstall(world, "data")).code).toBe("not-installed");
    expect(Object.keys(world.lock.skills)).toHaveLength(2);
  });

  it.each([
    "../../README.md",
    "..",
    ".",
    "",
    "/etc",
    ".skillwright",
    ".agent",
    "README.md",
    "dates/../../..",
    "__proto__",
    "constructor",
  ])("K-05 %j is no skill, and nothing is touched", async (word) => {
    const world = await installed();
    world.write({ "project/.agent/skills/.skillwright/SKILL.md": skillText("evil") });
    const before = treeOf(world.path("project"), { skip: ".skillwright" });
    expect(refused(await uninstall(world, word)).code).toBe("not-installed");
    expect(treeOf(world.path("project"), { skip: ".skillwright" })).toEqual(before);
  });

  it("K-03 a link goes, what it leads to stays", async () => {
    const world = new PackWorld();
    world.skills("pack", { dates: {} });
    done(await installSkills("./pack", { ...world.session, link: true }));
    const source = treeOf(world.path("pack"), { times: true });
    done(await uninstall(world, "dates"));
    expect(existsSync(join(world.scope.root, "dates"))).toBe(false);
    done(await undoLast(world.session));
    expect(statuses(done(await verifyInstalled(world.scope)))).toEqual({ dates: "linked" });
    symlinkSync(world.path("pack/dates"), join(world.scope.root, "by-hand"));
    done(await uninstall(world, "by-hand"));
    expect(treeOf(world.path("pack"), { times: true })).toEqual(source);
  });

  it("K-03 one whose folder is gone already leaves the lock", async () => {
    const world = await installed();
    rmSync(join(world.scope.root, "dates"), { recursive: true });
    expect(statuses(done(await uninstall(world, "dates")))).toEqual({ dates: "removed" });
    expect(Object.keys(world.lock.skills)).toEqual([".agent/skills/times"]);
  });

  it("K-03 of one source does not touch the same name in another", async () => {
    const world = await installed();
    const scope = scopeAt(world.base, "vendor");
    done(await installSkills("./pack", { ...world.session, scope, all: true }));
    done(await uninstallSkills({ ...world.session, scope, names: ["dates"] }));
    expect(existsSync(join(world.scope.root, "dates/SKILL.md"))).toBe(true);
    expect(Object.keys(world.lock.skills)).toEqual([
      ".agent/skills/dates",
      ".agent/skills/times",
      "vendor/times",
    ]);
    expect(
      refused(await uninstallSkills({ ...world.session, scope, names: [".agent/skills/dates"] }))
        .code,
    ).toBe("not-installed");
  });

  it("K-03 a namespaced entry of the lock is removed with its folder, and updated as itself", async () => {
    const world = await installed();
    const text = world.lockText.replaceAll(".agent/skills/dates", ".agent/skills/acme/dates");
    world.write({ "project/.agent/skills.lock.json": text });
    rmSync(join(world.scope.root, "dates"), { recursive: true });
    done(await restoreSkills(world.session));
    expect(world.installed("acme/dates/a.md")).toBe("a");
    writeFileSync(join(world.scope.root, "acme/dates/a.md"), "mine");
    world.write({ "pack/dates/a.md": "theirs" });
    expect(refused(await updateSkills(world.session)).code).toBe("local-edits");
    done(await uninstall(world, "dates"));
    expect(existsSync(join(world.scope.root, "acme"))).toBe(false);
  });
});

describe("undo", () => {
  const change: Readonly<Record<string, (world: PackWorld) => Promise<unknown>>> = {
    install: async (world) => {
      world.skills("more", { zones: {} });
      return done(await installSkills("./more", world.session));
    },
    "install over another": async (world) => {
      world.skills("more", { dates: { "z.md": "z" } });
      return done(await installSkills("./more", { ...world.session, force: true }));
    },
    "install of a link": async (world) => {
      world.skills("more", { zones: {} });
      return done(await installSkills("./more", { ...world.session, link: true }));
    },
    update: async (world) => {
      world.write({ "pack/dates/new.md": "new" });
      return done(await updateSkills(world.session));
    },
    restore: async (world) => {
      writeFileSync(join(world.scope.root, "dates/a.md"), "mine");
      return done(await restoreSkills({ ...world.session, force: true }));
    },
    uninstall: async (world) => done(await uninstall(world, "dates", "times")),
  };

  it.each(Object.entries(change))("K-03 of %s, and its redo", async (name, work) => {
    const world = await installed();
    if (name === "restore") writeFileSync(join(world.scope.root, "dates/a.md"), "mine");
    const before = world.project;
    await work(world);
    const after = world.project;
    expect(after).not.toEqual(before);
    done(await undoLast(world.session));
    expect(world.project).toEqual(before);
    done(await undoLast({ ...world.session, redo: true }));
    expect(world.project).toEqual(after);
    done(await undoLast(world.session));
    expect(world.project).toEqual(before);
  });

  it("K-03 of nothing is said, and edits since are not lost", async () => {
    const world = new PackWorld();
    expect(refused(await undoLast(world.session)).code).toBe("nothing-to-undo");
    world.skills("pack", { dates: {} });
    done(await installSkills("./pack", world.session));
    writeFileSync(join(world.scope.root, "dates/SKILL.md"), `${skillText("dates")}mine\n`);
    expect(refused(await undoLast(world.session)).code).toBe("local-edits");
    done(await undoLast({ ...world.session, force: true }));
    expect(existsSync(join(world.scope.root, "dates"))).toBe(false);
    done(await undoLast({ ...world.session, redo: true }));
    expect(world.installed("dates/SKILL.md")).toContain("mine");
  });
});

describe("prune", () => {
  it("K-03 removes old backups and copies nobody names, and keeps what is installed", async () => {
    const world = await installed();
    for (const version of ["2", "3", "4"]) {
      world.write({ "pack/dates/a.md": version });
      done(await updateSkills(world.session));
    }
    const before = world.project;
    const state = (folder: string) =>
      readdirSync(join(world.scope.root, ".skillwright", folder)).length;
    expect([state("backups"), state("pristine")]).toEqual([4, 5]);
    done(await pruneRoot({ ...world.session, keep: 1 }));
    // Of the two skills, and of the version that the one undo would bring back.
    expect([state("backups"), state("pristine")]).toEqual([1, 3]);
    expect(world.project).toEqual(before);
    // A merge still works, and so does the one undo that was kept.
    writeFileSync(join(world.scope.root, "dates/own.md"), "own");
    world.write({ "pack/dates/a.md": "5" });
    expect(statuses(done(await updateSkills(world.session)))["dates"]).toBe("merged");
    done(await undoLast(world.session));
    expect(world.installed("dates/a.md")).toBe("4");
  });

  it("K-03 a lock that cannot be read removes nothing", async () => {
    const world = await installed();
    world.write({ "project/.agent/skills.lock.json": "{" });
    const before = treeOf(join(world.scope.root, ".skillwright"));
    expect(refused(await pruneRoot({ ...world.session, keep: 0 })).code).toBe("lock-invalid");
    expect(treeOf(join(world.scope.root, ".skillwright"))).toEqual(before);
  });
});
