import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { workplace } from "../../../../../test/support/workplace.ts";

const SKILL = "---\nname: a\ndescription: Says a.\n---\nA\n";
const SCRIPTED = { ".agent/skills/a/SKILL.md": SKILL, ".agent/skills/a/scripts/a.sh": "echo a\n" };

function managedFile(content: unknown): string {
  const file = join(
    temporaryFolder({ "etc/config.json": JSON.stringify(content) }),
    "etc/config.json",
  );
  chmodSync(file, 0o644);
  return file;
}

/** A machine with managed settings, whose user and project have files of their own. */
function managed(content: unknown, user: unknown = {}, project: unknown = {}, env = {}) {
  const SKILLWRIGHT_MANAGED_CONFIG = managedFile(content);
  return workplace(
    { ...SCRIPTED, ".agent/config.json": JSON.stringify(project) },
    {
      ".agent/config.json": JSON.stringify(user),
      "mine/b/SKILL.md": SKILL.replace("name: a", "name: b"),
    },
    { ...env, SKILLWRIGHT_MANAGED_CONFIG },
  );
}

interface Shown {
  readonly values: readonly { readonly path: string; readonly value: unknown }[];
  readonly problems: readonly { readonly path: string; readonly layer: string }[];
}

const nested = (path: string, value: unknown) =>
  path
    .split(".")
    .reverse()
    .reduce((inner: unknown, name) => ({ [name]: inner }), value);

/** Path, what the administrator sets, what others want, and what holds. */
const ATTEMPTS: [string, unknown, unknown, unknown?][] = [
  ["skill_roots", ["/opt/skills"], ["~/mine", "/opt/skills"], ["/opt/skills"]],
  ["trust.roots", ["/opt/skills"], ["/"]],
  ["skillTools.enableUserSkills", false, true],
  ["skillTools.enableProjectSkills", false, true],
  ["skillTools.dataDir", "/opt/data", "~/mine"],
  ["skillTools.maxOutputSizeBytes", 100, 1000],
  ["workspace.workingDirectory", "sub", "/"],
  ["workspace.skillsDirectory", "/opt/named", "~/mine"],
  ["workspace.skillNames", ["a"], ["b"]],
  ["workspace.enableWriteFile", false, true],
  ["workspace.enableRunCommand", false, true],
  ["workspace.maxFileSizeBytes", 10, 11],
  ["workspace.commandTimeoutSeconds", 5, 500],
  ["model.provider", "anthropic", "openai"],
  ["model.params", { baseUrl: "https://proxy.example" }, { baseUrl: "https://elsewhere.example" }],
  ["execution.sandbox", "bubblewrap", "none"],
  ["execution.domains", ["*.example.com"], ["x.example.com", "evil.com"], ["x.example.com"]],
  ["execution.writable", ["out"], ["."]],
  ["execution.virtualEnvironment", "/opt/venv", "/tmp/venv"],
  ["execution.freshDirectory", true, false],
  ["execution.memoryBytes", 1_000_000, 2_000_000],
  ["execution.cpuSeconds", 10, 20],
  ["execution.processes", 10, 20],
  ["execution.networkBytes", 10, 20],
  ["execution.require_approval_for", ["read_file"], [], ["read_file"]],
  ["policy.allow", ["Read"], ["Read", "Bash(*)"], ["Read"]],
  ["policy.ask", ["Read(.env)"], [], ["Read(.env)"]],
  ["policy.deny", ["run_script"], ["WebFetch"], ["run_script", "WebFetch"]],
  ["policy.allowedTools", "restrict", "grant"],
  ["policy.denySecretReads", true, false],
  ["policy.enableDeleteFile", false, true],
  ["policy.enableNetworkRequest", false, true],
  ["policy.risks", { run_script: "high" }, { run_script: "low" }],
  ["approvals.terminalOnly", true, false],
  ["runs.keepDays", 400, 1],
  ["packs.trustedKeys", ["SHA256:a"], ["SHA256:b"]],
  ["packs.requireSignature", true, false],
  ["packs.failOn", "low", "never"],
  [
    "packs.limits",
    { files: 10 },
    { files: 20 },
    { archiveBytes: 52428800, bytes: 52428800, files: 10 },
  ],
  ["security.block_angle_brackets_in_frontmatter", true, false],
  ["lint.rules", { "body-empty": "error" }, { "body-empty": "off" }],
  ["disabledSkills", ["a"], [], ["a"]],
  ["mcpServers", {}, { evil: { command: "evil" } }],
];

const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)("managed settings", () => {
  it.each<[string, unknown, unknown, unknown?]>(ATTEMPTS)(
    "P-07 %s %j: not widened to %j",
    async (path, set, wanted, holds = set) => {
      const variable = `SKILLWRIGHT_${path.replace(/[A-Z]/g, "_$&").replace(".", "__").toUpperCase()}`;
      const text = typeof wanted === "string" ? wanted : JSON.stringify(wanted);
      const file = nested(path, wanted);
      const layers = [
        managed(nested(path, set), file),
        managed(nested(path, set), {}, file),
        managed(nested(path, set), {}, {}, { [variable]: text }),
        managed(nested(path, set), file, file, { [variable]: text }),
      ];
      for (const { run, json } of layers) {
        await run("trust");
        const { values } = (await json("config")) as unknown as Shown;
        const value = values.find((one) => one.path === path)?.value;
        // A project's list of names adds nothing to the user's.
        expect([holds, set]).toContainEqual(value);
      }
      const { run, home } = managed(nested(path, set), file, {}, {});
      const other = join(home, "other.json");
      writeFileSync(other, JSON.stringify(file));
      const { stdout } = await run("config", "--config", other, "--json");
      const value = (JSON.parse(stdout) as Shown).values.find((one) => one.path === path)?.value;
      expect(value).toEqual(holds);
    },
  );

  it.each([
    [{ execution: { sandbox: "bubblewrap" } }, ["--sandbox", "none"], "--sandbox none is refused"],
    [{ execution: { writable: [] } }, ["--writable", "out"], "--writable out is refused"],
    [
      { model: { provider: "anthropic" } },
      ["--model", "openai:gpt"],
      "--model openai:gpt is refused",
    ],
    [
      { model: { provider: "openai", params: { model: "small" } } },
      ["--model", "openai:large"],
      "--model openai:large is refused",
    ],
    [
      { model: { provider: "ollama", params: { temperature: 0 } } },
      ["--model-param", "temperature=1"],
      "--model-param is refused",
    ],
    [{ trust: { roots: ["/opt/skills"] } }, ["--trust"], "--trust is refused"],
    [{ skill_roots: ["/opt/skills"] }, ["--root", "/"], "--root / is refused"],
    [{ skillTools: { enableUserSkills: false } }, ["--root", "/"], "--root / is refused"],
    [{ workspace: { skillNames: ["a"] } }, ["--root", "."], "--root is refused"],
  ])("P-07 %j refuses run %j", async (content, flags, message) => {
    const { run } = managed(content);
    const { exitCode, stderr } = await run("run", "say a", ...flags);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).toContain("ask your administrator");
  });

  it("P-07 --yes does not count where only terminals may approve, nor against a managed deny", async () => {
    const tool = ["tools", "call", "run_skill_script", "--yes=run_script", "--input"];
    const input = '{ "skill_name": "a", "script_file": "a.sh" }';
    const only = managed({ approvals: { terminalOnly: true } });
    await only.run("trust");
    const refused = await only.run(...tool, input);
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain("managed settings");
    const denied = managed({ policy: { deny: ["run_script"] } });
    await denied.run("trust");
    expect((await denied.run(...tool, input)).exitCode).not.toBe(0);
  });

  it.each([
    [{ packs: { failOn: "low" } }, ["--fail-on", "never"]],
    [{ packs: { trustedKeys: ["SHA256:a"] } }, ["--key", "SHA256:b"]],
  ])("P-07 %j refuses install %j", async (content, flags) => {
    const { run, cwd } = managed(content);
    const { exitCode, stderr } = await run("install", join(cwd, ".agent/skills/a"), ...flags);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("is refused")]);
  });

  it("P-07 managed roots are all that is trusted; the user's trust does not count beyond them", async () => {
    const { run } = managed({ trust: { roots: ["/opt/skills"] } });
    await run("trust");
    const { stdout, stderr } = await run("list", "--json");
    expect(stderr).toContain("does not count");
    const [skill] = (JSON.parse(stdout) as { skills: { name: string; trusted: boolean }[] }).skills;
    expect(skill).toMatchObject({ name: "a", trusted: false });
  });

  it("P-07 what is not managed stays free, and narrowing works", async () => {
    const { json } = managed(
      { execution: { cpuSeconds: 100 } },
      { execution: { cpuSeconds: 50, memoryBytes: 9_000_000_000 } },
    );
    const { values, problems } = (await json("config")) as unknown as Shown;
    expect(problems).toEqual([]);
    expect(values).toContainEqual(
      expect.objectContaining({ path: "execution.cpuSeconds", value: 50, layer: "user" }),
    );
    expect(values).toContainEqual(
      expect.objectContaining({ path: "execution.memoryBytes", value: 9_000_000_000 }),
    );
  });

  it("P-07 config shows the layer, doctor checks it, config set --user refuses", async () => {
    const { run, home } = managed({ execution: { sandbox: "bubblewrap" } });
    const shown = await run("config");
    expect(shown.stdout).toMatch(/^execution\.sandbox +managed +"bubblewrap"$/m);
    expect((await run("doctor")).stdout).toContain("managed");
    const set = await run("config", "set", "--user", "execution.sandbox", "none");
    expect([set.exitCode, set.stderr]).toEqual([2, expect.stringContaining("a user may only")]);
    expect(readFileSync(join(home, ".agent/config.json"), "utf8")).toBe("{}");
  });

  it.each([
    ["owned by a user", (file: string) => chownSync(file, 1000, 0)],
    ["writable by its group", (file: string) => chmodSync(file, 0o664)],
    ["writable by all", (file: string) => chmodSync(file, 0o646)],
    ["in a folder of a user", (file: string) => chownSync(join(file, ".."), 1000, 0)],
    ["in a folder that all can write", (file: string) => chmodSync(join(file, ".."), 0o777)],
    ["below a folder of a user", (file: string) => chownSync(join(file, "../.."), 1000, 0)],
    ["no JSON", (file: string) => writeFileSync(file, "{")],
    [
      "a value that is not valid",
      (file: string) => writeFileSync(file, '{"execution":{"sandbox":1}}'),
    ],
  ])("P-07 a managed file %s is an error", async (_what, spoil) => {
    const file = managedFile({});
    spoil(file);
    const { run } = workplace(SCRIPTED, {}, { SKILLWRIGHT_MANAGED_CONFIG: file });
    for (const command of [["list"], ["config"], ["lint"], ["run", "a"]]) {
      const { exitCode, stderr } = await run(...command);
      expect([command, exitCode, stderr]).toEqual([command, 2, expect.stringContaining(file)]);
    }
    expect((await run("doctor")).stdout).toContain(file);
  });

  it("P-07 a link, a folder, a missing file and a relative path are errors", async () => {
    const folder = temporaryFolder({ "real.json": "{}" });
    symlinkSync(join(folder, "real.json"), join(folder, "link.json"));
    mkdirSync(join(folder, "folder"));
    for (const name of ["link.json", "folder", "missing.json"]) {
      const SKILLWRIGHT_MANAGED_CONFIG = join(folder, name);
      const { exitCode } = await workplace({}, {}, { SKILLWRIGHT_MANAGED_CONFIG }).run("list");
      expect([name, exitCode]).toEqual([name, 2]);
    }
    const relative = workplace({ "m.json": "{}" }, {}, { SKILLWRIGHT_MANAGED_CONFIG: "m.json" });
    expect((await relative.run("list")).exitCode).toBe(2);
  });
});
