import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

function run(args: readonly string[]): { stdout: string; stderr: string } {
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  return { stdout, stderr };
}

/** Prints the address of every module that is loaded, from Node's thread for hooks. */
const HOOKS = `
import { writeSync } from "node:fs";
export async function load(url, context, next) {
  writeSync(1, url + "\\n");
  return next(url, context);
}`;

/** The packages of others that importing one of ours loads. */
function loadedBy(name: string): string[] {
  const program = `
import { register } from "node:module";
register("data:text/javascript," + encodeURIComponent(${JSON.stringify(HOOKS)}));
await import(${JSON.stringify(name)});`;
  const { stdout, stderr } = run(["--input-type=module", "-e", program]);
  expect(stderr).toBe("");
  expect(stdout).toContain("/packages/");
  const found = stdout.matchAll(/\/node_modules\/((?:@[^/]+\/)?[^/\n]+)\//g);
  return [...new Set(Array.from(found, ([, name = ""]) => name))].toSorted();
}

describe("the packages as built", () => {
  it.each([
    ["@skillwright/core", []],
    ["@skillwright/core/ai-sdk", []],
    ["@skillwright/runtime", []],
    ["@skillwright/agent", []],
    ["@skillwright/packs", []],
    ["@skillwright/mcp", []],
    ["@skillwright/evals", []],
    ["@skillwright/app", []],
    ["@skillwright/agent/internal/actions", []],
    ["@skillwright/core/config-schema", []],
  ])("N-03 %s loads no heavy package when it is imported", (name, expected) => {
    expect(loadedBy(name)).toEqual(expected);
  });

  it("N-03 stack traces name the lines of the sources", () => {
    const program = `import { slugify } from "@skillwright/core/internal"; slugify(undefined);`;
    const { stderr } = run(["--enable-source-maps", "--input-type=module", "-e", program]);
    const [, file = "", line = ""] = /at slugify \((.+?\.ts):(\d+):\d+\)/.exec(stderr) ?? [];
    expect(file).toBe(`${ROOT}packages/core/src/format/names.ts`);
    const lines = readFileSync(file, "utf8").split("\n");
    const start = lines.findIndex((text) => text.includes("function slugify("));
    expect(Number(line)).toBeGreaterThan(start);
    expect(Number(line)).toBeLessThan(start + 10);
  });
});
