import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  installSkills,
  pruneRoot,
  restoreSkills,
  uninstallSkills,
  updateSkills,
  verifyInstalled,
} from "@skillwright/packs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHANGE_STEPS } from "../../packages/packs/src/change/index.ts";
import { bundlePacks, type PackCommand, runPackCommand } from "../support/pack-install-child.ts";
import { done, PackWorld, refused, treeOf } from "../support/pack-world.ts";
import { sample } from "../support/suite.ts";

let bundle = "";
beforeAll(async () => {
  bundle = await bundlePacks();
}, 300_000);
afterAll(() => rmSync(dirname(bundle), { recursive: true, force: true }));

interface Scenario {
  readonly prepare: (world: PackWorld) => Promise<void>;
  readonly command: PackCommand;
  /** What somebody does next. It must not be refused because of what was left. */
  readonly next: (world: PackWorld) => Promise<{ readonly ok: boolean }>;
}

async function withOld(world: PackWorld): Promise<void> {
  world.skills("pack", { dates: { "a.md": "1\n2\n3\n4\n5\n" }, times: { "b.md": "b" } });
  done(await installSkills("./pack", { ...world.session, all: true }));
}

function newVersion(world: PackWorld): void {
  world.write({ "pack/dates/a.md": "1\n2\n3\n4\nFIVE\n", "pack/times/c/c.md": "new" });
  rmSync(world.path("pack/times/b.md"));
}

const restored = (world: PackWorld) => restoreSkills({ ...world.session, frozen: true });

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "an install into an empty project": {
    prepare: async (world) => void world.skills("more", { zones: { "z.md": "z" } }),
    command: { call: "installSkills", source: "./more" },
    next: (world) => pruneRoot(world.session),
  },
  "an install beside and over others": {
    prepare: async (world) => {
      await withOld(world);
      world.skills("more", { zones: { "z.md": "z" }, dates: { "other.md": "other" } });
    },
    command: { call: "installSkills", source: "./more", options: { all: true, force: true } },
    next: restored,
  },
  "an update": {
    prepare: async (world) => {
      await withOld(world);
      newVersion(world);
    },
    command: { call: "updateSkills" },
    next: restored,
  },
  "an update that keeps edits": {
    prepare: async (world) => {
      await withOld(world);
      newVersion(world);
      writeFileSync(join(world.scope.root, "dates/a.md"), "ONE\n2\n3\n4\n5\n");
    },
    command: { call: "updateSkills" },
    next: (world) => updateSkills(world.session),
  },
  "an uninstall": {
    prepare: withOld,
    command: { call: "uninstallSkills", options: { names: ["dates"] } },
    next: restored,
  },
};

async function prepared({ prepare }: Scenario): Promise<PackWorld> {
  const world = new PackWorld();
  await prepare(world);
  return world;
}

/** The skills of the root by name, each with all that it holds. */
function skillsOf({ scope }: PackWorld): Record<string, Record<string, string>> {
  const skills: Record<string, Record<string, string>> = {};
  let names: string[] = [];
  try {
    names = readdirSync(scope.root).filter((name) => !name.startsWith("."));
  } catch {
    // Nothing was made yet.
  }
  for (const name of names) skills[name] = treeOf(join(scope.root, name));
  return skills;
}

function expectTidy({ scope, base }: PackWorld): void {
  const state = join(scope.root, ".skillwright");
  expect(readdirSync(join(state, "staging"))).toEqual([]);
  const names = readdirSync(state).filter((name) => name !== "pristine");
  expect(names.sort()).toEqual([".gitignore", "backups", "history", "staging"]);
  const beside = readdirSync(join(base, ".agent")).filter((name) => name !== "skills.lock.json");
  expect(beside).toEqual(["skills"]);
}

describe.each(Object.entries(SCENARIOS))("kill -9 of %s", (title, scenario) => {
  it("K-02 at every step: each skill wholly old or new, and the next command repairs", async () => {
    const whole = await prepared(scenario);
    const before = { skills: skillsOf(whole), project: whole.project };
    const { result, steps, stderr } = await runPackCommand(bundle, whole, scenario.command);
    expect({ stderr, ok: result?.["ok"] }).toEqual({ stderr: "", ok: true });
    const after = { skills: skillsOf(whole), project: whole.project };
    expectTidy(whole);
    const decided = steps.indexOf("write-journal after");
    expect(decided).toBeGreaterThan(0);
    for (const [killAt, step] of sample([...steps.entries()], 3)) {
      const world = await prepared(scenario);
      const killed = await runPackCommand(bundle, world, scenario.command, { killAt });
      expect({ signal: killed.signal, last: killed.steps.at(-1) }).toEqual({
        signal: "SIGKILL",
        last: step,
      });
      const now = skillsOf(world);
      for (const name of Object.keys({ ...before.skills, ...after.skills })) {
        const isGap = step.endsWith(` ${name}`) && /^(?:back-up after|place before) /.test(step);
        const allowed = [before.skills[name], after.skills[name], ...(isGap ? [undefined] : [])];
        const isWhole = allowed.some((one) => isDeepStrictEqual(one, now[name]));
        expect(isWhole, `${title}: ${name} when killed at ${step}`).toBe(true);
      }
      expect(await scenario.next(world), `after ${step}`).toMatchObject({ ok: true });
      const isNew = killAt >= decided;
      // An update that was not begun is done by the next one.
      const isDoneNext = scenario.next !== restored && scenario.command.call === "updateSkills";
      const expected = isNew || isDoneNext ? after : before;
      expect(world.project, `after ${step}`).toEqual(expected.project);
      const verified = done(await verifyInstalled(world.scope));
      const bad = verified.skills.filter(({ status }) => status !== "ok");
      expect(bad.map(({ name }) => name)).toEqual(title.includes("edits") ? ["dates"] : []);
      // A restore that has nothing to do writes nothing: what was staged goes with the next change.
      done(await pruneRoot(world.session));
      expectTidy(world);
    }
  }, 600_000);
});

describe("what is left by a killed process", () => {
  it("K-02 is no local edit for whoever restores, and a dry run only tells of it", async () => {
    const scenario = SCENARIOS["an update"]!;
    const world = await prepared(scenario);
    const { steps } = await runPackCommand(bundle, await prepared(scenario), scenario.command);
    const killAt = steps.indexOf("place after dates");
    await runPackCommand(bundle, world, scenario.command, { killAt });
    const before = treeOf(world.folder, { times: true });
    const dry = await updateSkills({ ...world.session, dryRun: true });
    expect(done(dry).notes).toContain("a change was interrupted, and is finished first");
    expect(treeOf(world.folder, { times: true })).toEqual(before);
    const report = done(await restoreSkills(world.session));
    expect(report.notes.join()).toContain("finished an interrupted change: update dates, times");
    expect(report.changed).toBe(false);
  });

  it("K-02 is finished by a command that is itself refused", async () => {
    const scenario = SCENARIOS["an uninstall"]!;
    const world = await prepared(scenario);
    const { steps } = await runPackCommand(bundle, await prepared(scenario), scenario.command);
    const killAt = steps.indexOf("back-up after dates");
    await runPackCommand(bundle, world, scenario.command, { killAt });
    const names = ["nobody"];
    expect(refused(await uninstallSkills({ ...world.session, names })).code).toBe("not-installed");
    expect(Object.keys(world.lock.skills)).toEqual([".agent/skills/times"]);
    expectTidy(world);
  });
});

it("K-02 every step that the code names is killed in one of these", async () => {
  const seen = new Set<string>();
  for (const scenario of Object.values(SCENARIOS)) {
    const { steps } = await runPackCommand(bundle, await prepared(scenario), scenario.command);
    for (const line of steps) seen.add(line.split(" ")[0]!);
  }
  expect([...seen].sort()).toEqual([...CHANGE_STEPS].sort());
});
