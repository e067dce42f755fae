import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { SkillwrightError } from "../index.ts";
import type { LoadConfigurationOptions } from "../internal/index.ts";
import { DEFAULTS, loadConfiguration } from "./index.ts";

const USER = "home/.config/skillwright/config.json";
const PROJECT = "project/.agent/config.json";
const APPSETTINGS = "project/appsettings.json";

describe("loadConfiguration", () => {
  it("C-02 is the defaults where nothing is configured", async () => {
    const loaded = await load({});
    expect(loaded.values).toStrictEqual(DEFAULTS);
    expect(loaded).toMatchObject({ problems: [], notes: [], extra: [], files: [] });
    expect(loaded.origin("skillTools.cacheSkills")).toEqual({ layer: "default" });
  });

  it("C-02 puts flags over environment over project over appsettings over user over defaults", async () => {
    const seconds = (value: number) =>
      JSON.stringify({ workspace: { commandTimeoutSeconds: value } });
    const appsettings = '{ "RuntimeOptions": { "CommandTimeoutSeconds": 48 } }';
    const files: Record<string, string> = {};
    const see = async (rest: Partial<LoadConfigurationOptions> = {}) => {
      const loaded = await load(files, rest);
      expect(loaded.problems).toEqual([]);
      return [
        loaded.values.workspace.commandTimeoutSeconds,
        loaded.origin("workspace.commandTimeoutSeconds").layer,
      ];
    };
    const env = { SKILLWRIGHT_WORKSPACE__COMMAND_TIMEOUT_SECONDS: "47" };
    const flags = { workspace: { commandTimeoutSeconds: 46 } };
    expect(await see()).toEqual([60, "default"]);
    files["home/.agent/config.json"] = seconds(51);
    expect(await see()).toEqual([51, "user"]);
    files[USER] = seconds(50);
    expect(await see()).toEqual([50, "user"]);
    files[APPSETTINGS] = appsettings;
    expect(await see()).toEqual([48, "appsettings"]);
    files[PROJECT] = seconds(49);
    expect(await see()).toEqual([49, "project"]);
    expect(await see({ env })).toEqual([47, "environment"]);
    expect(await see({ env, flags })).toEqual([46, "flag"]);
  });

  it("C-02 tells the file and the variable that a value came from", async () => {
    const { folder, ...options } = place({
      [USER]: '{ "lint": { "rules": { "key-unknown": "off" } } }',
    });
    const env = { SKILLWRIGHT_LINT__RULES__BODY_EMPTY: "error" };
    const loaded = await loadAt({ ...options, env });
    expect(loaded.values.lint.rules).toEqual({ "key-unknown": "off", "body-empty": "error" });
    expect(loaded.origin("lint.rules.key-unknown")).toEqual({
      layer: "user",
      file: join(folder, USER),
    });
    expect(loaded.origin("lint.rules.body-empty")).toEqual({
      layer: "environment",
      variable: "SKILLWRIGHT_LINT__RULES__BODY_EMPTY",
    });
    expect(loaded.files.map(({ file }) => file)).toEqual([join(folder, USER)]);
  });

  it("C-02 an option that came together from several layers is from the strongest", async () => {
    const rules = '{ "lint": { "rules": { "key-unknown": "off" } } }';
    const env = { SKILLWRIGHT_LINT__RULES__BODY_EMPTY: "error" };
    expect((await load({ [USER]: rules })).origin("lint.rules").layer).toBe("user");
    expect((await load({ [USER]: rules }, { env })).origin("lint.rules").layer).toBe("environment");
    expect((await load({ [PROJECT]: rules })).origin("lint.rules").layer).toBe("project");
    expect((await load({})).origin("lint.rules").layer).toBe("default");
  });

  it("C-02 passes over a file that cannot be read, if someone is told of it", async () => {
    const errors: string[] = [];
    const onUnreadable = ({ message }: Error) => errors.push(message);
    const files = { [USER]: '{ "disabledSkills": ["a"] }', [PROJECT]: "{" };
    const loaded = await load(files, { onUnreadable });
    expect(errors).toEqual([expect.stringMatching(/config\.json.*not JSON at line 1/)]);
    expect(loaded.values.disabledSkills).toEqual(["a"]);
    expect(loaded.files).toHaveLength(1);
  });

  it("C-02 R-05 there is no file below a link that leads to itself", async () => {
    const { folder, ...options } = place({ "project/x": "" });
    symlinkSync(".agent", join(folder, "project/.agent"));
    expect(await loadAt(options)).toMatchObject({ files: [], problems: [] });
  });

  it("C-02 reads the fields of 003 from .agent/config.json of the user", async () => {
    const loaded = await load({
      "home/.agent/config.json": `{
        "skill_roots": [".agent/skills", "~/.agent/skills"],
        "model": { "provider": "mock", "params": { "temperature": 0 } },
        "execution": { "require_approval_for": ["write_file", "run_script", "network"] },
        "security": { "max_skill_body_lines": 500, "block_angle_brackets_in_frontmatter": true }
      }`,
    });
    expect(loaded.problems).toEqual([]);
    expect(loaded.values).toMatchObject({
      skill_roots: [".agent/skills", "~/.agent/skills"],
      model: { provider: "mock", params: { temperature: 0 } },
    });
  });

  it("C-02 reads comments and trailing commas", async () => {
    const { values } = await load({
      [USER]: `\uFEFF// mine
        { "$schema": "x", /* "skillTools": false, */
          "skillTools": { "userSkillsDir": "a // b", "cacheSkills": false, }, // why not
        }`,
    });
    expect(values.skillTools).toMatchObject({ userSkillsDir: "a // b", cacheSkills: false });
  });

  it("C-02 takes a file without a value as empty", async () => {
    expect((await load({ [USER]: "// nothing yet\n" })).values).toEqual(DEFAULTS);
  });

  it("C-02 reads the sections of an appsettings.json under their original names, in any case", async () => {
    const loaded = await load({
      [APPSETTINGS]: `{
        // only two sections are ours
        "ConnectionStrings": { "__proto__": "secret" },
        "skillTools": { "cacheSkills": false },
        "AgentSkills": { "EnableUserSkills": false, "DataDir": "data/skills", "UserSkillsDir": null,
                         "maxoutputsizebytes": 1000 },
        "RuntimeOptions": { "SkillNames": ["pdf"], "EnableWriteFile": false,
                            "ExecutionPolicy": { "Sandbox": "bubblewrap" } }
      }`,
    });
    expect(loaded).toMatchObject({ problems: [], extra: [] });
    expect(loaded.values).toMatchObject({
      skillTools: {
        enableUserSkills: false,
        dataDir: "data/skills",
        userSkillsDir: undefined,
        maxOutputSizeBytes: 1000,
        cacheSkills: true,
      },
      workspace: { skillNames: ["pdf"], enableWriteFile: false },
      execution: { sandbox: "bubblewrap" },
    });
    expect(loaded.origin("skillTools.dataDir").layer).toBe("appsettings");
  });

  it("C-02 reads those sections in a config.json too, where our own names win", async () => {
    const { values } = await load({
      [USER]: `{
        "skillTools": { "maxOutputSizeBytes": 2 },
        "AgentSkills": { "MaxOutputSizeBytes": 1, "CacheSkills": false },
        "RuntimeOptions": { "EnableRunCommand": true }
      }`,
    });
    expect(values.skillTools).toMatchObject({ maxOutputSizeBytes: 2, cacheSkills: false });
    expect(values.workspace.enableRunCommand).toBe(true);
  });

  it.each([
    ["skillTools.cacheSkills", { skillTools: { cacheSkills: "no" } }, /true or false/, true],
    [
      "skillTools.maxOutputSizeBytes",
      { skillTools: { maxOutputSizeBytes: 0 } },
      /at least 1/,
      51_200,
    ],
    ["workspace.commandTimeoutSeconds", { workspace: { commandTimeoutSeconds: 1.5 } }, /whole/, 60],
    [
      "workspace.maxFileSizeBytes",
      { workspace: { maxFileSizeBytes: 2 ** 31 } },
      /at most/,
      10_485_760,
    ],
    [
      "workspace.maxFileSizeBytes",
      { workspace: { maxFileSizeBytes: "1" } },
      /whole number/,
      10_485_760,
    ],
    ["skill_roots", { skill_roots: "skills" }, /list of texts/, undefined],
    ["skill_roots.1", { skill_roots: ["a", ""] }, /not be empty/, undefined],
    [
      "lint.rules.key-unknown",
      { lint: { rules: { "key-unknown": "fatal" } } },
      /one of error/,
      undefined,
    ],
    ["lint.rules", { lint: { rules: [] } }, /an object/, {}],
    ["execution.sandbox", { execution: { sandbox: "wat" } }, /one of auto/, "auto"],
    ["skillTools", { skillTools: [] }, /an object/, undefined],
    ["model.provider", { model: { provider: null } }, /a text/, undefined],
    [
      "model.prices.a:b.input",
      { model: { prices: { "a:b": { input: "1", output: 2 } } } },
      /number of dollars/,
      undefined,
    ],
    [
      "model.prices.a:b.output",
      { model: { prices: { "a:b": { input: 1, output: -2 } } } },
      /at least 0/,
      undefined,
    ],
    [
      "model.prices.a:b",
      { model: { prices: { "a:b": { input: 1, output: 2, each: 3 } } } },
      /must not have/,
      undefined,
    ],
  ])(
    "C-02 reports %s if it is not valid and uses the default",
    async (path, content, reason, used) => {
      const { folder, ...options } = place({ [USER]: JSON.stringify(content) });
      const loaded = await loadAt(options);
      expect(loaded.problems).toHaveLength(1);
      expect(loaded.problems[0]).toMatchObject({ path, layer: "user", file: join(folder, USER) });
      expect(loaded.problems[0]?.reason).toMatch(reason);
      expect(loaded.values).toEqual(DEFAULTS);
      expect(loaded.problems[0]?.used).toEqual(used);
    },
  );

  it("C-02 uses the value of the layer below where one is not valid, and says so", async () => {
    const loaded = await load(
      { [USER]: '{ "workspace": { "commandTimeoutSeconds": 10 } }' },
      { env: { SKILLWRIGHT_WORKSPACE__COMMAND_TIMEOUT_SECONDS: "soon" } },
    );
    expect(loaded.values.workspace.commandTimeoutSeconds).toBe(10);
    expect(loaded.problems).toEqual([
      {
        path: "workspace.commandTimeoutSeconds",
        reason: "must be a whole number",
        used: 10,
        layer: "environment",
        variable: "SKILLWRIGHT_WORKSPACE__COMMAND_TIMEOUT_SECONDS",
      },
    ]);
  });

  it("C-02 names what is not valid as it stands in the file", async () => {
    const { problems } = await load({ [USER]: '{ "AgentSkills": { "CacheSkills": 1 } }' });
    expect(problems).toMatchObject([
      { path: "skillTools.cacheSkills", written: "AgentSkills.CacheSkills", used: true },
    ]);
  });

  it("C-02 one wrong value does not cost the others", async () => {
    const { values } = await load({
      [USER]: `{ "skillTools": { "cacheSkills": 1, "enableUserSkills": false },
                 "lint": { "rules": { "a": 1, "b": "off" } } }`,
    });
    expect(values.skillTools).toMatchObject({ cacheSkills: true, enableUserSkills: false });
    expect(values.lint.rules).toEqual({ b: "off" });
  });

  it("C-02 keeps options of later versions, with a hint where one is near", async () => {
    const { folder, ...options } = place({
      [USER]: `{ "telemetry": { "on": [1] }, "skillTools": { "cacheSkill": true },
                 "RuntimeOptions": { "AgentName": "x" } }`,
    });
    const { extra, notes, problems } = await loadAt(options);
    const origin = { layer: "user", file: join(folder, USER) };
    expect(extra).toEqual([
      { path: "RuntimeOptions.AgentName", value: "x", origin },
      { path: "telemetry", value: { on: [1] }, origin },
      { path: "skillTools.cacheSkill", value: true, origin },
    ]);
    expect(problems).toEqual([]);
    expect(notes.map(({ message }) => message).join("\n")).toMatch(
      /skillTools\.cacheSkill .*did you mean skillTools\.cacheSkills\?/,
    );
  });

  it.each([
    ["cut off", '{ "skillTools": {\n  "cacheSkills": tru', /line 2, column 18/],
    ["not JSON", "skillTools: {}", /line 1, column 1/],
    ["a comment without end", "{ /* ", /line 1/],
    ["a list", "[]", /object/],
    ["null", "null", /object/],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), /UTF-8/],
    ["too large", `{}${" ".repeat(1024 * 1024)}`, /larger/],
  ])("C-02 a file that is %s is an error that names the place", async (_, text, reason) => {
    const { folder, ...options } = place({ [USER]: text as string });
    const error = await loadAt(options).catch((error: unknown) => error);
    expect(SkillwrightError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ code: "configuration-unreadable" });
    expect(String(error)).toMatch(reason);
    expect(String(error)).toContain(join(folder, USER));
  });

  it("C-02 an error quotes nothing of a file that is not JSON", async () => {
    const error = await load({ [USER]: "root:x:0:0:secret" }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(SkillwrightError);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error)).includes("x:0")).toBe(false);
  });

  it("C-02 a folder, a pipe and a link to nowhere are errors, and none blocks", async () => {
    const pipe = place({ "home/.agent/x": "" });
    execFileSync("mkfifo", [join(pipe.home, ".agent/config.json")]);
    await expect(loadAt(pipe)).rejects.toThrow("not a regular file");

    const folder = place({ "home/.agent/config.json/x": "" });
    await expect(loadAt(folder)).rejects.toThrow("cannot be read");

    const link = place({ "home/.agent/x": "" });
    symlinkSync("nowhere", join(link.home, ".agent/config.json"));
    await expect(loadAt(link)).rejects.toThrow("ENOENT");
  });

  it.skipIf(process.getuid?.() === 0)("C-02 a file without permission is an error", async () => {
    const { folder, ...options } = place({ [USER]: "{}" });
    chmodSync(join(folder, USER), 0);
    await expect(loadAt(options)).rejects.toThrow("EACCES");
  });

  it("C-02 a file named by hand takes the place of the user's, and must be there", async () => {
    const files = {
      [USER]: '{ "skillTools": { "cacheSkills": false } }',
      "project/mine.json": '{ "workspace": { "enableRunCommand": true } }',
    };
    const { values, problems } = await load(files, { configFile: "mine.json" });
    expect(values.workspace.enableRunCommand).toBe(true);
    expect(values.skillTools.cacheSkills).toBe(true);
    expect(problems).toEqual([]);
    await expect(load(files, { configFile: "other.json" })).rejects.toThrow("ENOENT");
  });

  it("C-02 honours XDG_CONFIG_HOME if it is absolute", async () => {
    const { folder, ...options } = place({
      "xdg/skillwright/config.json": '{ "skill_roots": ["xdg"] }',
      [USER]: '{ "skill_roots": ["home"] }',
    });
    const roots = async (XDG_CONFIG_HOME: string) =>
      (await loadAt({ ...options, env: { XDG_CONFIG_HOME } })).values.skill_roots;
    expect(await roots(join(folder, "xdg"))).toEqual(["xdg"]);
    expect(await roots("../xdg")).toEqual(["home"]);
    expect(await roots("")).toEqual(["home"]);
  });

  it("C-02 in the home directory .agent/config.json is the user's, read once", async () => {
    const { home, env } = place({
      "home/.agent/config.json": '{ "model": { "provider": "mock" } }',
    });
    for (const projectTrusted of [true, false]) {
      const loaded = await loadConfiguration({ cwd: home, home, env, projectTrusted });
      expect(loaded).toMatchObject({
        problems: [],
        notes: [],
        values: { model: { provider: "mock" } },
      });
      expect(loaded.files).toHaveLength(1);
    }
  });

  it("C-02 finds the project's files in the project, wherever the command runs", async () => {
    const { folder, ...options } = place({ [PROJECT]: '{ "disabledSkills": ["a"] }' });
    mkdirSync(join(folder, "project/src"));
    const cwd = join(folder, "project/src");
    const loaded = await loadAt({ ...options, cwd, project: join(folder, "project") });
    expect(loaded.values.disabledSkills).toEqual(["a"]);
  });

  it("C-02 callers cannot change the defaults through what they get", async () => {
    const { values } = await load({});
    (values.disabledSkills as string[]).push("all");
    expect((await load({})).values.disabledSkills).toEqual([]);
  });
});

function load(files: Record<string, string>, rest: Partial<LoadConfigurationOptions> = {}) {
  return loadAt({ ...place(files), ...rest });
}

/** With what a place has beside the options. */
function loadAt(place: LoadConfigurationOptions & { readonly folder?: string }) {
  const { folder: _, ...options } = place;
  return loadConfiguration(options);
}

function place(files: Record<string, string>) {
  const folder = temporaryFolder({ "home/x": "", "project/x": "", ...files });
  const [home, cwd] = [join(folder, "home"), join(folder, "project")];
  return { folder, home, cwd, env: {}, projectTrusted: true };
}
