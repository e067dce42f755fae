import { existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { packageRegistry } from "../../../../test/support/package-registry.ts";
import {
  htmlPage,
  type PublishedWheel,
  pythonIndex,
} from "../../../../test/support/python-index.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  type EnvironmentNeed,
  environmentNeed,
  type EnvironmentPlan,
  EnvironmentStore,
  prepareEnvironment,
  type PrepareOptions,
} from "./index.ts";

/** The registry of a test answers from this process, so it must not be blocked. */
const run = promisify(execFile);

const COLOURS: PublishedWheel = {
  name: "colours",
  version: "1.2",
  files: { "colours/__init__.py": "from shades import dark\nRED = dark('red')\n" },
  requires: ["shades>=1"],
};
const SHADES: PublishedWheel = {
  name: "shades",
  version: "1.0",
  files: { "shades.py": "def dark(name):\n    return 'dark ' + name\n" },
};

async function needOf(
  files: Readonly<Record<string, string>>,
  script: string,
): Promise<EnvironmentNeed> {
  const need = await environmentNeed(script, (path) => files[path]);
  if (need === undefined || "code" in need) throw new Error(JSON.stringify(need));
  return need;
}

function options(env: PrepareOptions["env"], more: Partial<PrepareOptions> = {}): PrepareOptions {
  const store = new EnvironmentStore(temporaryFolder());
  return { store, skill: "paint", env, approve: async () => true, ...more };
}

const REQUIREMENTS = {
  "requirements.txt": "colours >= 1  # the shades come with it\n",
  "scripts/a.py": "",
};

describe("prepareEnvironment", () => {
  it("X-12 locks, shows and installs what a requirements.txt asks for, read-only", async () => {
    const index = await pythonIndex([COLOURS, SHADES]);
    const plans: EnvironmentPlan[] = [];
    const given = options(index.env, { approve: async (plan) => plans.push(plan) > 0 });
    const prepared = await prepareEnvironment(await needOf(REQUIREMENTS, "scripts/a.py"), given);
    if (!prepared.ok) throw new Error(prepared.message);
    const { folder, libraries } = prepared.environment;
    expect(libraries.map(({ name, version }) => `${name} ${version}`).toSorted()).toEqual([
      "colours 1.2",
      "shades 1.0",
    ]);
    expect(plans).toHaveLength(1);
    expect(plans[0]?.origins).toEqual([index.origin]);
    expect(plans[0]?.lock).toMatch(/^colours==1\.2 --hash=sha256:[0-9a-f]{64}$/m);
    const print = ["-c", "import colours; print(colours.RED)"];
    const text = execFileSync(join(folder, "bin/python3"), print, { encoding: "utf8" });
    expect(text).toBe("dark red\n");
    const library = execFileSync(
      join(folder, "bin/python3"),
      ["-c", "import shades; print(shades.__file__)"],
      { encoding: "utf8" },
    ).trim();
    expect(library.startsWith(folder)).toBe(true);
    expect(lstatSync(library).mode & 0o222).toBe(0);
    const again = await prepareEnvironment(await needOf(REQUIREMENTS, "scripts/a.py"), {
      ...given,
      skill: "draw",
      env: {},
      approve: () => Promise.reject(new Error("nothing is asked for what is there")),
    });
    expect(again.ok && again.environment.skills).toEqual(["draw", "paint"]);
    expect(given.store.list().map(({ id }) => id)).toEqual([prepared.environment.id]);
    expect(given.store.remove(prepared.environment.id)).toBe(true);
    expect(existsSync(folder)).toBe(false);
    expect(given.store.list()).toEqual([]);
  });

  it("X-12 refuses a wheel that changed since it was locked, and takes it with upgrade", async () => {
    const index = await pythonIndex([COLOURS, SHADES]);
    const given = options(index.env);
    const need = await needOf(REQUIREMENTS, "scripts/a.py");
    expect((await prepareEnvironment(need, given)).ok).toBe(true);
    given.store.remove(need.id);
    index.publish({
      ...SHADES,
      files: { "shades.py": "def dark(name):\n    return 'evil ' + name\n" },
    });
    const refused = await prepareEnvironment(need, given);
    expect(refused).toMatchObject({ ok: false, code: "hash-mismatch" });
    expect(given.store.list()).toEqual([]);
    expect(existsSync(given.store.folderOf(need.id))).toBe(false);
    expect((await prepareEnvironment(need, { ...given, upgrade: true })).ok).toBe(true);
  });

  it("X-12 refuses a wheel that changes between the lock and the fetch", async () => {
    const index = await pythonIndex([COLOURS, SHADES]);
    const change = async () => {
      index.publish({ ...SHADES, files: { "shades.py": "raise SystemExit\n" } });
      return true;
    };
    const need = await needOf(REQUIREMENTS, "scripts/a.py");
    const refused = await prepareEnvironment(need, options(index.env, { approve: change }));
    expect(refused).toMatchObject({ ok: false, code: "hash-mismatch" });
  });

  it("X-12 fetches nothing without a yes, and builds no source package", async () => {
    const index = await pythonIndex([COLOURS]);
    const link = '<a href="/files/shades-1.0.tar.gz">shades-1.0.tar.gz</a>';
    index.pages["/simple/shades/"] = htmlPage(link);
    const need = await needOf(REQUIREMENTS, "scripts/a.py");
    const failed = await prepareEnvironment(need, options(index.env));
    expect(failed).toMatchObject({ ok: false, code: "resolve-failed" });
    expect(!failed.ok && failed.hint).toMatch(/Only wheels/);
    index.publish(SHADES);
    const given = options(index.env, { approve: async () => false });
    expect(await prepareEnvironment(need, given)).toMatchObject({ ok: false, code: "refused" });
    expect(given.store.list()).toEqual([]);
  });

  it("X-12 installs what a package-lock.json locks, runs no install script and refuses a changed tarball", async () => {
    const registry = await packageRegistry("tint", [
      {
        version: "2.0.0",
        files: { "index.js": "module.exports = (name) => `light ${name}`;" },
        manifest: { scripts: { postinstall: "touch was-run" } },
      },
    ]);
    const project = temporaryFolder({
      "package.json": JSON.stringify({ name: "s", version: "1.0.0", dependencies: { tint: "^2" } }),
    });
    const env = { ...process.env, ...registry.env };
    await run("npm", ["install", "--package-lock-only", "--silent"], { cwd: project, env });
    const lockfile = readFileSync(join(project, "package-lock.json"), "utf8");
    const manifest = readFileSync(join(project, "package.json"), "utf8");
    const files = { "package.json": manifest, "package-lock.json": lockfile };
    const need = await needOf(files, "scripts/a.mjs");
    const given = options(registry.env);
    const prepared = await prepareEnvironment(need, given);
    if (!prepared.ok) throw new Error(prepared.message);
    const installed = join(prepared.environment.folder, "node_modules/tint");
    expect(existsSync(join(installed, "index.js"))).toBe(true);
    expect(existsSync(join(installed, "was-run"))).toBe(false);
    given.store.remove(need.id);
    const path = Object.keys(registry.pages).find((one) => one.endsWith(".tgz")) ?? "";
    const other = temporaryFolder({ "package/package.json": '{"name":"tint","version":"2.0.0"}' });
    execFileSync("tar", ["-C", other, "-czf", join(other, "x.tgz"), "package"]);
    registry.pages[path] = readFileSync(join(other, "x.tgz"));
    const home = temporaryFolder();
    const fresh = { ...registry.env, HOME: home, npm_config_cache: join(home, "cache") };
    const refused = await prepareEnvironment(need, { ...given, env: fresh });
    expect(refused).toMatchObject({ ok: false, code: "hash-mismatch" });
    expect(given.store.list()).toEqual([]);
  });

  it("X-12 calls uv with hashes, without builds, where it is installed", async () => {
    const tools = temporaryFolder({
      uv: `#!/bin/sh
echo "$@" >> "$LOG"
case "$2" in
  compile)
    for last; do :; done
    while [ "$1" != --output-file ]; do shift; done
    printf '%s\\n' '--index-url https://index.example/simple' 'shades==1.0 \\' '    --hash=sha256:${"a".repeat(64)}' > "$2" ;;
esac
`,
    });
    execFileSync("chmod", ["+x", join(tools, "uv")]);
    const log = join(temporaryFolder(), "log");
    writeFileSync(log, "");
    const env = { PATH: `${tools}:/usr/bin:/bin`, LOG: log, HOME: tools };
    const files = { "scripts/a.py": '# /// script\n# dependencies = ["shades"]\n# ///\n' };
    const prepared = await prepareEnvironment(await needOf(files, "scripts/a.py"), options(env));
    if (!prepared.ok) throw new Error(prepared.message);
    expect(prepared.environment.libraries).toEqual([{ name: "shades", version: "1.0" }]);
    const [compile = "", install = ""] = readFileSync(log, "utf8").trim().split("\n");
    expect(compile).toMatch(/^pip compile .*--generate-hashes --no-build/);
    expect(install).toMatch(/^pip install .*--require-hashes --no-build .*--no-deps/);
  });
});
