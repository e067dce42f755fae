import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { probeView } from "../../packages/runtime/src/changes/index.ts";
import { bundleViews, keptIn, refusedIn, ViewHost } from "../support/view-host.ts";
import { RUNNERS } from "./execution-host.ts";

let bundle = "";
beforeAll(async () => {
  bundle = await bundleViews();
  // Without a view nothing below proves anything: it fails, it is not skipped.
  expect(await probeView()).toEqual({ ok: true });
});
afterAll(() => rmSync(dirname(dirname(bundle)), { recursive: true, force: true }));

describe.each(RUNNERS)("changes of scripts as $user", (runner) => {
  const host = (files: Readonly<Record<string, string>> = {}) =>
    new ViewHost(bundle, runner, files);
  const text = (world: ViewHost, path: string) => readFileSync(join(world.work, path), "utf8");

  it("X-11 nothing real changes until changes are applied, then exactly they do", async () => {
    const world = host({ "a.txt": "a", "b/c.txt": "c", "b/d/e.txt": "e", "f/g.txt": "g" });
    const script = `echo new > new.txt; echo more >> a.txt; rm -r b; mkdir b; echo x > b/x
      chmod 755 f/g.txt; mkdir -p n/o; echo deep > n/o/p`;
    const before = await world.run([["script", script]]);
    expect(before.scripts[0]).toMatchObject({ status: 0, stderr: "" });
    expect(keptIn(before)).toEqual([
      "created b/x",
      "created n",
      "created n/o",
      "created n/o/p",
      "created new.txt",
      "deleted b/c.txt",
      "deleted b/d",
      "deleted b/d/e.txt",
      "mode f/g.txt",
      "modified a.txt",
    ]);
    expect(readdirSync(world.work).toSorted()).toEqual(["a.txt", "b", "f"]);
    expect(text(world, "a.txt")).toBe("a");
    const after = await world.run([["apply"]]);
    expect(after.applied).toMatchObject({ conflicts: [] });
    expect(readdirSync(world.work, { recursive: true }).toSorted()).toEqual(
      ["a.txt", "b", "b/x", "f", "f/g.txt", "n", "n/o", "n/o/p", "new.txt"],
    );
    expect(text(world, "a.txt")).toBe("amore\n");
  });
});
