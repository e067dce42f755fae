import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { packageRegistry } from "../support/package-registry.ts";
import { pythonIndex } from "../support/python-index.ts";
import { runCli } from "../support/run-cli.ts";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const DESCRIPTION = "Names colours. Use for paint.";
const PEP_723 = `# /// script
# dependencies = ["shades"]
# ///
import shades, socket
print(shades.dark("red"))
try:
    open(shades.__file__, "a").write("x")
except OSError:
    print("read-only")
try:
    socket.create_connection(("127.0.0.1", PORT), 1)
except OSError:
    print("no network")
`;

async function world() {
  const index = await pythonIndex([
    {
      name: "shades",
      version: "1.0",
      files: { "shades.py": "def dark(name): return 'dark ' + name\n" },
    },
  ]);
  const registry = await packageRegistry("tint", [
    { version: "2.0.0", files: { "index.js": "exports.light = (name) => 'light ' + name;" } },
  ]);
  const lock = temporaryFolder({
    "package.json": JSON.stringify({ name: "s", version: "1.0.0", dependencies: { tint: "^2" } }),
  });
  await run("npm", ["install", "--package-lock-only", "--silent"], {
    cwd: lock,
    env: { ...process.env, ...registry.env },
  });
  const skills = ".agent/skills";
  const port = index.origin.split(":").at(-1) ?? "";
  const folder = temporaryFolder({
    [`project/${skills}/inline/SKILL.md`]: skillText("inline", DESCRIPTION),
    [`project/${skills}/inline/scripts/name.py`]: PEP_723.replace("PORT", port),
    [`project/${skills}/listed/SKILL.md`]: skillText("listed", DESCRIPTION),
    [`project/${skills}/listed/requirements.txt`]: "shades\n",
    [`project/${skills}/listed/scripts/name.py`]: "import shades\nprint(shades.dark('blue'))\n",
    [`project/${skills}/noded/SKILL.md`]: skillText("noded", DESCRIPTION),
    [`project/${skills}/noded/package.json`]: readFileSync(join(lock, "package.json"), "utf8"),
    [`project/${skills}/noded/package-lock.json`]: readFileSync(
      join(lock, "package-lock.json"),
      "utf8",
    ),
    [`project/${skills}/noded/scripts/name.mjs`]:
      "import tint from 'tint';\nconsole.log(tint.light('red'));\n",
  });
  const env = {
    ...registry.env,
    ...index.env,
    HOME: join(folder, "home"),
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_STATE_HOME: join(folder, "state"),
  };
  const cli = (...args: string[]) => runCli(args, { cwd: join(folder, "project"), env });
  const script = async (skill: string, file: string) => {
    const input = JSON.stringify({ skill_name: skill, script_file: file });
    return cli(
      "tools",
      "call",
      "run_skill_script",
      "--preset",
      "scripts",
      "--trust",
      "--yes=run_script",
      "--input",
      input,
    );
  };
  return { cli, script, index };
}

const YES = "--yes=prepare_environment";

describe("skillwright env", () => {
  it("X-12 prepares the libraries of a PEP 723 script, which then runs without network", async () => {
    const { cli, script, index } = await world();
    const missing = await script("inline", "name.py");
    expect(missing.exitCode).toBe(1);
    expect(missing.stdout + missing.stderr).toContain("skillwright env prepare inline");
    const unapproved = await cli("env", "prepare", "inline", "--trust");
    expect(unapproved).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining("shades 1.0"),
    });
    expect(unapproved.stdout).toContain(`from ${index.origin}`);
    expect(unapproved.stdout).toContain(YES);
    expect((await cli("env", "prepare", "inline", "--trust", "--yes")).exitCode).toBe(2);
    // The command that the failure printed, with the flags of this call.
    expect(await cli("env", "prepare", "inline", "--trust", YES)).toMatchObject({ exitCode: 0 });
    const ran = await script("inline", "name.py");
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stdout).toContain("dark red\nread-only\nno network");
  });

  it("X-12 shares one environment between skills that declare the same, and removes it with the last", async () => {
    const { cli, script } = await world();
    expect((await script("listed", "name.py")).stdout).toContain("skillwright env prepare listed");
    expect((await cli("env", "prepare", "--trust", YES)).exitCode).toBe(0);
    expect((await script("listed", "name.py")).stdout).toContain("dark blue");
    expect((await script("noded", "name.mjs")).stdout).toContain("light red");
    const { environments } = JSON.parse((await cli("env", "list", "--json")).stdout) as {
      environments: { skills: string[]; kind: string }[];
    };
    expect(environments.map(({ kind, skills }) => [kind, ...skills].join(" ")).toSorted()).toEqual([
      "node noded",
      "python inline listed",
    ]);
    await cli("env", "remove", "inline");
    expect((await script("listed", "name.py")).exitCode).toBe(0);
    expect((await cli("env", "remove", "listed")).stdout).toContain("Removed 1 environment.");
    expect((await script("listed", "name.py")).exitCode).toBe(1);
    expect((await cli("env", "remove", "listed")).exitCode).toBe(1);
  });

  it("X-12 runs Node scripts with their libraries without a sandbox, too", async () => {
    const { cli, script } = await world();
    await cli("env", "prepare", "noded", "--trust", YES);
    expect((await script("noded", "name.mjs")).exitCode).toBe(0);
    const input = JSON.stringify({ skill_name: "noded", script_file: "name.mjs" });
    const plain = [
      "tools",
      "call",
      "run_skill_script",
      "--preset",
      "scripts",
      "--trust",
      "--yes=run_script",
    ];
    const ran = await cli(...plain, "--sandbox", "none", "--input", input);
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("light red") });
  });

  it("X-12 shows what it would fetch and fetches nothing with --dry-run", async () => {
    const { cli, index } = await world();
    const dry = await cli("env", "prepare", "inline", "--trust", "--dry-run");
    expect(dry).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("would be prepared"),
    });
    expect((await cli("env", "list")).stdout).toContain("No environments");
    expect(index.asked.length).toBeGreaterThan(0);
  });
});
