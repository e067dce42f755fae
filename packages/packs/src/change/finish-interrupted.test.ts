import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { done, PackWorld, refused, statuses } from "../../../../test/support/pack-world.ts";
import { installSkills, outdatedSkills } from "../install/index.ts";
import { verifyInstalled } from "../verify/index.ts";
import type { OnStep } from "./index.ts";

const endAtLock: OnStep = ({ step }) => {
  if (step === "write-lock") throw Object.assign(new Error("the end"), { code: "EIO" });
};

/** An install that ended between its journal and its end. */
async function interrupted(): Promise<PackWorld> {
  const world = new PackWorld();
  world.skills("pack", { dates: {}, times: {} });
  done(await installSkills("./pack", { ...world.session, all: true }));
  world.write({ "pack/dates/new.md": "new" });
  const failure = await installSkills("./pack", {
    ...world.session,
    all: true,
    force: true,
    onStep: endAtLock,
  });
  expect(refused(failure).message).toContain("not finished");
  return world;
}

it("K-03 verify finishes what was interrupted before it looks", async () => {
  const world = await interrupted();
  const { stateDirectory } = world;
  expect(statuses(done(await verifyInstalled(world.scope)))["dates"]).toBe("extra-files");
  const verified = done(await verifyInstalled(world.scope, { finish: { stateDirectory } }));
  expect(statuses(verified)).toEqual({ dates: "ok", times: "ok" });
  expect(verified.notes).toEqual([expect.stringContaining("finished an interrupted change")]);
  expect(world.installed("dates/new.md")).toBe("new");
  const again = done(await verifyInstalled(world.scope, { finish: { stateDirectory } }));
  expect(again.notes).toEqual([]);
});

it("K-03 where it cannot be finished, that is said", async () => {
  const world = await interrupted();
  const { stateDirectory } = world;
  const finish = { stateDirectory, onStep: endAtLock };
  const verified = done(await verifyInstalled(world.scope, { finish }));
  expect(statuses(verified)["dates"]).toBe("extra-files");
  expect(verified.notes).toEqual([expect.stringContaining("was interrupted")]);
});

it("K-03 who only asks is told, and nothing is finished", async () => {
  const world = await interrupted();
  const { notes } = done(await outdatedSkills(world.session));
  expect(notes).toEqual([expect.stringContaining("the next install, update or undo")]);
  expect(statuses(done(await verifyInstalled(world.scope)))["dates"]).toBe("extra-files");
});

it.skipIf(process.getuid?.() === 0)("K-03 a root that cannot be written is looked at", async () => {
  const world = await interrupted();
  const { stateDirectory } = world;
  const state = join(world.scope.root, ".skillwright");
  chmodSync(state, 0o500);
  onTestFinished(() => chmodSync(state, 0o700));
  const verified = done(await verifyInstalled(world.scope, { finish: { stateDirectory } }));
  expect(verified.notes).toEqual([expect.stringContaining("was interrupted")]);
});
