import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../support/docs/documented-block.ts";

const FOLDER = join(ROOT, "docs/images");
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

describe("the pictures of the pages", () => {
  it.each(readdirSync(FOLDER))("C-01 %s is small, has text, and runs nothing", (name) => {
    const svg = readFileSync(join(FOLDER, name), "utf8");
    expect(svg).toMatch(/Made by scripts\/(?:record|disclosure-svg)\.mjs/);
    expect(svg).toContain("prefers-color-scheme:dark");
    expect(svg.length).toBeLessThan(60_000);
    expect(svg.match(/<text /g)?.length ?? 0).toBeGreaterThan(5);
    expect(svg).not.toMatch(/<script|<foreignObject|\son\w+=|href=|url\(/i);
  });

  it.skipIf(!hasTmux)("C-01 they show what the built command line prints in a terminal", () => {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, "scripts/record.mjs"), "--check"],
      { encoding: "utf8" },
    );
    expect([stderr, status]).toEqual(["", 0]);
  });
});
