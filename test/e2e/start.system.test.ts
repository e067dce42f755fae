import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const PACKAGE = fileURLToPath(new URL("../../packages/cli/", import.meta.url));
const hasOwnCache = !("enableCompileCache" in process.getBuiltinModule("node:module"));

/** The built package at a place of its own, with nothing kept from earlier starts. */
function installed() {
  const folder = temporaryFolder();
  for (const part of ["bin", "dist", "package.json"]) {
    cpSync(join(PACKAGE, part), join(folder, part), { recursive: true, preserveTimestamps: true });
  }
  const cwd = temporaryFolder({ "skills/pdf/SKILL.md": skillText("pdf") });
  const HOME = temporaryFolder();
  const command = [join(folder, "bin/skillwright.cjs"), "list", "--quiet"];
  const options = { cwd, encoding: "utf8" as const, env: { HOME } };
  const list = (env = {}) => {
    const run = { ...options, env: { HOME, ...env } };
    const { status, stdout, stderr } = spawnSync(process.execPath, command, run);
    return { status, names: stdout.split("\n"), stderr };
  };
  const kept = () => {
    const caches = join(folder, "dist.cache");
    return existsSync(caches)
      ? readdirSync(caches, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
      : [];
  };
  return { folder, list, kept, command, options };
}

const WELL = { status: 0, names: expect.arrayContaining(["pdf"]) as unknown };

describe("the start of the built command line", () => {
  it("C-01 --version is printed without loading the commands", () => {
    const script = `process.on("exit", () => console.error(Object.keys(require.cache).join()));
      process.argv.splice(1, 0, "x"); require(${JSON.stringify(join(PACKAGE, "bin/skillwright.cjs"))})`;
    const { stdout, stderr } = spawnSync(process.execPath, ["-e", script, "--", "--version"], {
      encoding: "utf8",
    });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(stderr).toContain("skillwright.cjs");
    expect(stderr).not.toContain("main-");
  });

  it("C-01 list loads neither the parser nor YAML", () => {
    const cwd = temporaryFolder({ ".agent/skills/pdf/SKILL.md": skillText("pdf") });
    const script = `process.on("exit", () => console.error(Object.keys(require.cache).join()));
      process.argv.splice(1, 0, "x"); require(${JSON.stringify(join(PACKAGE, "dist/skillwright.cjs"))})`;
    const { status, stderr } = spawnSync(process.execPath, ["-e", script, "--", "list"], {
      cwd,
      encoding: "utf8",
      env: { HOME: temporaryFolder() },
    });
    expect(status).toBe(0);
    expect(stderr).toContain("list-command");
    expect(stderr).not.toMatch(/js-yaml|parse-skill|\/session-skills/);
  });
});

describe.skipIf(!hasOwnCache)("its code cache (skipped where Node has one of its own)", () => {
  it("C-01 is made by the first two starts and used from then on", () => {
    const { list, kept } = installed();
    expect(list()).toMatchObject(WELL);
    expect(kept().length).toBeGreaterThan(10);
    expect(list()).toMatchObject(WELL);
    const files = kept();
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => file.includes("/."))).toEqual([]);
    const times = files.map((file) => statSync(file).mtimeMs);
    expect(list()).toMatchObject(WELL);
    expect(kept()).toEqual(files);
    expect(files.map((file) => statSync(file).mtimeMs)).toEqual(times);
  });

  it("C-01 what is imported while it runs is found, also by a start from the cache", () => {
    const { command, options } = installed();
    const [bin = ""] = command;
    const run = ["run", "--quiet", "--yes=run_script", "--sandbox", "sandbox-runtime"];
    for (let start = 1; start <= 3; start++) {
      const { stderr } = spawnSync(
        process.execPath,
        [bin, ...run, "--root", join(PACKAGE, "../../skills"), "Convert 5 km to miles"],
        options,
      );
      expect(stderr).toContain(
        "sandbox-runtime, which scripts are confined with, is not installed",
      );
      expect(stderr).not.toContain("ExperimentalWarning");
    }
  });

  it("C-01 one that is damaged is made anew", () => {
    const { list, kept } = installed();
    list();
    const files = kept();
    for (const [i, file] of files.entries()) {
      const content = readFileSync(file);
      writeFileSync(file, i % 2 === 0 ? content.subarray(0, content.length >> 1) : "");
    }
    expect(list()).toMatchObject(WELL);
    for (const file of files) expect(statSync(file).size, file).toBeGreaterThan(100);
    expect(list()).toMatchObject(WELL);
  });

  it("C-01 one that cannot be written is done without", () => {
    const { folder, list } = installed();
    writeFileSync(join(folder, "dist.cache"), "");
    expect(list()).toEqual(list());
    expect(list()).toMatchObject(WELL);
  });

  it("C-01 another build has its own, and the old one goes", () => {
    const { folder, list, kept } = installed();
    list();
    const before = kept();
    const entry = join(folder, "dist/skillwright.cjs");
    utimesSync(entry, new Date(), new Date(Date.now() + 5000));
    expect(list()).toMatchObject(WELL);
    const after = kept();
    expect(after.length).toBe(before.length);
    for (const file of after) expect(before).not.toContain(file);
  });

  it("C-01 many first starts at once all do well, and leave nothing half", async () => {
    const { command, options, kept, list } = installed();
    const codes = await Promise.all(
      Array.from({ length: 6 }, () => {
        const child = spawn(process.execPath, command, { ...options, stdio: "ignore" });
        return new Promise((resolve) => child.once("close", resolve));
      }),
    );
    expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
    expect(kept().filter((file) => file.includes("/."))).toEqual([]);
    expect(list()).toMatchObject(WELL);
  });

  it("C-01 is left alone where flags or coverage change what is compiled", () => {
    const { list, kept } = installed();
    const folder = temporaryFolder();
    expect(list({ NODE_OPTIONS: "--no-warnings" })).toMatchObject(WELL);
    expect(list({ NODE_V8_COVERAGE: folder })).toMatchObject(WELL);
    expect(kept()).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
