import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHANGE_STEPS } from "../../packages/packs/src/change/index.ts";
import { isSystem, sample } from "../support/suite.ts";
import {
  bundleChanges,
  change,
  CHANGE_BODY,
  changeArgs,
  changeWorld,
  type ChangeWorld,
  expectedTree,
  lockText,
  open,
  runChild,
  skillFiles,
  type Skills,
  tree,
} from "./pack-changes-world.ts";

let bundle = "";
beforeAll(async () => {
  bundle = await bundleChanges();
});
afterAll(() => rmSync(dirname(bundle), { recursive: true, force: true }));

interface Scenario {
  readonly before: Skills;
  /** What is done to it; absent for an undo of what led to `before`. */
  readonly changes?: Skills;
  readonly after: Skills;
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "install into an empty root": { before: {}, changes: { pdf: 1 }, after: { pdf: 1 } },
  "install beside another": { before: { csv: 1 }, changes: { pdf: 1 }, after: { csv: 1, pdf: 1 } },
  update: { before: { pdf: 1 }, changes: { pdf: 2 }, after: { pdf: 2 } },
  uninstall: { before: { csv: 1, pdf: 1 }, changes: { pdf: undefined }, after: { csv: 1 } },
  "several, in namespaces": {
    before: { "acme/pdf": 1, "old/one": 1, csv: 1 },
    changes: { "acme/pdf": 2, "acme/deep/xls": 1, "old/one": undefined, csv: 3 },
    after: { "acme/pdf": 2, "acme/deep/xls": 1, csv: 3 },
  },
  undo: { before: { pdf: 2, xls: 1 }, after: { pdf: 1, "old/one": 1 } },
};

async function prepare({ before, changes, after }: Scenario): Promise<ChangeWorld> {
  const world = changeWorld();
  const root = await open(world);
  const first = changes === undefined ? after : before;
  if (Object.keys(first).length > 0) await change(root, "first", first, first);
  if (changes === undefined) {
    const all = { pdf: 2, xls: 1, "old/one": undefined };
    await change(root, "second", all, before);
  }
  root.close();
  return world;
}

function argsOf({ changes, after }: Scenario) {
  return changes === undefined ? { isUndo: true } : changeArgs("change", changes, after);
}

function lockNow({ scope }: ChangeWorld): (string | undefined)[] {
  return [scope.lockFile, scope.sharedLockFile].map((file) => {
    try {
      return readFileSync(file!, "utf8");
    } catch {
      return undefined;
    }
  });
}

/** Wholly old, wholly new, or neither. */
function standing({ scope }: ChangeWorld, folder: string, { before, after }: Scenario): string {
  const all = tree(scope.root, ".skillwright");
  const own = Object.fromEntries(
    Object.entries(all)
      .filter(([path]) => path.startsWith(`${folder}/`))
      .map(([path, text]) => [path.slice(folder.length + 1), text]),
  );
  const is = (version: number | undefined) => {
    const expected = version === undefined ? {} : skillFiles(folder, version);
    return isDeepStrictEqual(own, expected);
  };
  if (is(before[folder])) return "old";
  if (is(after[folder])) return "new";
  return Object.keys(own).length === 0 ? "absent" : "broken";
}

function expectRepaired(world: ChangeWorld, scenario: Scenario): "old" | "new" {
  const { before, after } = scenario;
  const all = tree(world.scope.root, ".skillwright");
  const [lock, sharedLock] = lockNow(world);
  expect(lock).toBe(sharedLock);
  const isNew = lock === lockText(after);
  const old = Object.keys(before).length > 0 ? lockText(before) : undefined;
  expect([old, lockText(after)]).toContain(lock);
  expect(all, "the folders agree with the lock").toEqual(expectedTree(isNew ? after : before));
  const state = join(world.scope.root, ".skillwright");
  expect(readdirSync(join(state, "staging"))).toEqual([]);
  expect(readdirSync(state).sort()).toEqual([".gitignore", "backups", "history", "staging"]);
  expect(readdirSync(join(world.scope.base, ".agent")).sort()).toEqual(
    lock === undefined ? ["skills"] : ["skills", "skills.lock.json"],
  );
  return isNew ? "new" : "old";
}

describe.each(Object.entries(SCENARIOS))("kill -9 of: %s", (_, scenario) => {
  it("K-02 at every step: wholly old or new, repaired by the next", async () => {
    const whole = await prepare(scenario);
    const args = argsOf(scenario);
    const { stdout, stderr } = await runChild(bundle, whole, CHANGE_BODY, { args });
    expect(stderr).toContain('"ok":true');
    expect(expectRepaired(whole, scenario)).toBe("new");
    const steps = stdout.trimEnd().split("\n");
    const decided = steps.indexOf("write-journal after");
    expect(decided).toBeGreaterThan(0);
    const folders = Object.keys({ ...scenario.before, ...scenario.after });
    for (const [killAt, step] of sample([...steps.entries()], 3)) {
      const world = await prepare(scenario);
      const killed = await runChild(bundle, world, CHANGE_BODY, { args, killAt });
      expect(killed.signal, step).toBe("SIGKILL");
      expect(killed.stdout.trimEnd().split("\n").at(-1)).toBe(step);
      const [name, when, subject] = step.split(" ");
      for (const folder of folders) {
        const isInGap =
          folder === subject &&
          (`${name} ${when}` === "back-up after" || `${name} ${when}` === "place before");
        const allowed = isInGap ? ["old", "new", "absent"] : ["old", "new"];
        expect(allowed, `${folder} killed at ${step}`).toContain(standing(world, folder, scenario));
      }
      const root = await open(world);
      const isFinished = root.notes.some((note) => note.startsWith("finished"));
      const isRemoved =
        step.startsWith("remove-journal after") ||
        step.startsWith("remove-journal before") ||
        step.startsWith("write-history after");
      expect(isFinished, step).toBe(killAt >= decided && !isRemoved);
      root.close();
      expect(expectRepaired(world, scenario), step).toBe(killAt < decided ? "old" : "new");
    }
  });
});

describe("kill -9 of a repair", () => {
  it("K-02 at every step, twice over: the third finishes it", async () => {
    const scenario = SCENARIOS["several, in namespaces"]!;
    const args = argsOf(scenario);
    const { stdout } = await runChild(bundle, await prepare(scenario), CHANGE_BODY, { args });
    const killAt = stdout.split("\n").indexOf("place before csv");
    for (let second = 0; ; second += isSystem ? 1 : 8) {
      const world = await prepare(scenario);
      await runChild(bundle, world, CHANGE_BODY, { args, killAt });
      const again = await runChild(bundle, world, "await opened();", { killAt: second });
      (await open(world)).close();
      expect(expectRepaired(world, scenario)).toBe("new");
      if (again.signal !== "SIGKILL") break;
    }
  });
});

it("K-02 every step that the code names is killed in one of these", async () => {
  const seen = new Set<string>();
  for (const scenario of Object.values(SCENARIOS)) {
    const world = await prepare(scenario);
    const { stdout } = await runChild(bundle, world, CHANGE_BODY, { args: argsOf(scenario) });
    for (const line of stdout.trimEnd().split("\n")) seen.add(line.split(" ")[0]!);
  }
  expect([...seen].sort()).toEqual([...CHANGE_STEPS].sort());
});
