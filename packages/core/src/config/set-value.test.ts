import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { DEFAULTS, setConfigurationValue } from "./index.ts";

describe("setConfigurationValue", () => {
  it("C-02 makes the file and its folder", async () => {
    const file = join(temporaryFolder(), "a/config.json");
    const result = await setConfigurationValue(file, "skillTools.cacheSkills", false);
    expect(result).toEqual({ ok: true, file, created: true });
    expect(readFileSync(file, "utf8")).toBe(
      '{\n  "skillTools": {\n    "cacheSkills": false\n  }\n}\n',
    );
    expect(readdirSync(join(file, ".."))).toEqual(["config.json"]);
  });

  it("C-02 keeps comments, unknown options and permissions", async () => {
    const { file } = configFile('{\n  // later\n  "telemetry": 1, // hm\n}\n');
    chmodSync(file, 0o600);
    const result = await setConfigurationValue(file, "lint.rules.key-unknown", "off");
    expect(result).toEqual({ ok: true, file, created: false });
    expect(readFileSync(file, "utf8")).toBe(
      '{\n  // later\n  "telemetry": 1, // hm\n  "lint": {\n    "rules": {\n      "key-unknown": "off"\n    }\n  },\n}\n',
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("C-02 reads a text as the environment does if told so", async () => {
    const { file } = configFile("{}");
    await setConfigurationValue(file, "skill_roots", "a,b", { isText: true });
    await setConfigurationValue(file, "workspace.maxFileSizeBytes", "10", { isText: true });
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      skill_roots: ["a", "b"],
      workspace: { maxFileSizeBytes: 10 },
    });
  });

  it.each([
    ["trust.roots", "/", "only the user"],
    ["model.provider", "theirs", "only the user"],
    ["execution.sandbox", "none", "stricter"],
    ["lint.rules.angle-brackets", "off", "may not lower"],
    ["workspace.maxFileSizeBytes", "999999999", "only lower"],
    ["skillTools.dataDir", "../elsewhere", "inside itself"],
  ])("C-02 R-12 does not write what a project may not say: %s %s", async (path, text, reason) => {
    const folder = temporaryFolder();
    const file = join(folder, ".agent/config.json");
    const project = { folder, held: DEFAULTS };
    const result = await setConfigurationValue(file, path, text, { isText: true, project });
    expect(result).toMatchObject({ ok: false, code: "not-a-projects" });
    expect(result.ok ? "" : result.message).toContain(reason);
    expect(readdirSync(folder)).toEqual([]);
    const user = await setConfigurationValue(file, path, text, { isText: true });
    expect(user.ok).toBe(true);
  });

  it("C-02 R-12 does not write a project's file through a link, wherever it leads", async () => {
    const home = temporaryFolder({ "config.json": "{}" });
    const links: [string, string][] = [
      [".agent/config.json", join(home, "config.json")],
      [".agent/config.json", "../inside.json"],
      [".agent/config.json", "nowhere.json"],
      [".agent", home],
      [".agent", join(home, "later")],
    ];
    for (const [name, target] of links) {
      const folder = temporaryFolder({ "inside.json": "{}" });
      if (name !== ".agent") mkdirSync(join(folder, ".agent"));
      symlinkSync(target, join(folder, name));
      const project = { folder, held: DEFAULTS };
      const file = join(folder, ".agent/config.json");
      const set = setConfigurationValue(file, "skillTools.cacheSkills", false, { project });
      expect(await set).toMatchObject({ ok: false, code: "leads-out" });
      expect(readFileSync(join(folder, "inside.json"), "utf8")).toBe("{}");
    }
    expect(readdirSync(home)).toEqual(["config.json"]);
    expect(readFileSync(join(home, "config.json"), "utf8")).toBe("{}");
  });

  it("C-02 writes through a link and leaves it a link", async () => {
    const { file, folder } = configFile("{}");
    const link = join(folder, "link.json");
    symlinkSync(file, link);
    await setConfigurationValue(link, "disabledSkills", ["a"]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, "utf8")).toContain("disabledSkills");
  });

  it.each([
    ["{}", "skillTools.cacheSkill", true, "option-unknown"],
    ["{}", "__proto__.polluted", true, "option-unknown"],
    ["{}", "lint.rules.__proto__", "off", "option-unknown"],
    ["{}", "skillTools.cacheSkills", "yes", "value-invalid"],
    ["{", "skillTools.cacheSkills", true, "configuration-unreadable"],
    ["[]", "skillTools.cacheSkills", true, "configuration-unreadable"],
    ['{ "disabledSkills": [ // c\n ] }', "disabledSkills", ["a"], "edit-by-hand"],
    ['{ "skillTools": 1 }', "skillTools.cacheSkills", true, "edit-by-hand"],
  ])("C-02 %j with %s = %j is refused and unchanged", async (text, path, value, code) => {
    const { file, folder } = configFile(text);
    expect(await setConfigurationValue(file, path, value)).toMatchObject({ ok: false, code });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(readdirSync(folder)).toEqual(["config.json"]);
  });

  const SERVER = '{\n  "mcpServers": {\n    // mine\n    "docs": { "command": "a" }\n  }\n}\n';

  it.each([
    ["trust", "true", '{ "command": "a", "trust": true }'],
    ["tools", "search, fetch", '{ "command": "a", "tools": ["search", "fetch"] }'],
    ["tools", "false", '{ "command": "a", "tools": false }'],
    ["command", "7", '{ "command": "7" }'],
    ["timeoutSeconds", "30", '{ "command": "a", "timeoutSeconds": 30 }'],
    ["args", '["-x", "1"]', '{ "command": "a", "args": ["-x", "1"] }'],
  ])("C-02 sets %s of a server to %j and leaves the rest", async (key, text, expected) => {
    const { file } = configFile(SERVER);
    const set = setConfigurationValue(file, `mcpServers.docs.${key}`, text, { isText: true });
    expect(await set).toMatchObject({ ok: true });
    expect(readFileSync(file, "utf8")).toBe(SERVER.replace('{ "command": "a" }', expected));
  });

  it("C-02 sets a variable of a server as the text that it is", async () => {
    const { file } = configFile(SERVER);
    const path = "mcpServers.docs.env.PORT";
    expect(await setConfigurationValue(file, path, "8080", { isText: true })).toMatchObject({
      ok: true,
    });
    expect(readFileSync(file, "utf8")).toContain('"PORT": "8080"');
  });

  it("C-02 a server begins with its program or its address", async () => {
    const { file } = configFile("{}");
    expect(
      await setConfigurationValue(file, "mcpServers.a.url", "https://a.example"),
    ).toMatchObject({
      ok: true,
    });
    expect(await setConfigurationValue(file, "mcpServers.a.trust", true)).toMatchObject({
      ok: true,
    });
    expect(await setConfigurationValue(file, "mcpServers.b.trust", true)).toMatchObject({
      code: "value-invalid",
      message: expect.stringContaining("there is no server mcpServers.b"),
      hint: expect.stringContaining("mcpServers.b.command"),
    });
  });

  it.each([
    ["mcpServers.docs.trust", "perhaps", "value-invalid", /docs\.trust must be true or false/],
    ["mcpServers.docs.tools", 7, "value-invalid", /docs\.tools must be true, false or a list/],
    ["mcpServers.docs.timeoutSeconds", 0, "value-invalid", /at least 1/],
    ["mcpServers.docs.url", "https://a.example", "value-invalid", /either/],
    ["mcpServers.docs.turst", true, "option-unknown", /turst/],
    ["mcpServers.docs.trust.deep", true, "option-unknown", /nothing below/],
    ["mcpServers.docs.__proto__", true, "option-unknown", /__proto__/],
    ["mcpServers.docs.env.__proto__", "x", "option-unknown", /./],
    ["mcpServers.__proto__.trust", true, "option-unknown", /./],
  ])("C-02 %s = %j is refused and unchanged", async (path, value, code, message) => {
    const { file } = configFile(SERVER);
    const set = setConfigurationValue(file, path, value, { isText: typeof value === "string" });
    expect(await set).toMatchObject({ ok: false, code, message: expect.stringMatching(message) });
    expect(readFileSync(file, "utf8")).toBe(SERVER);
  });

  it("C-02 R-12 a project sets only what makes less of a server", async () => {
    const folder = temporaryFolder({ ".agent/x": "" });
    const file = join(folder, ".agent/config.json");
    const held = { ...DEFAULTS, mcpServers: { docs: { command: "a" } } };
    const set = (path: string, value: unknown) =>
      setConfigurationValue(file, path, value, { project: { folder, held } });
    for (const [path, value] of [
      ["mcpServers.docs.trust", true],
      ["mcpServers.docs.command", "sh"],
      ["mcpServers.docs.env.PATH", "/theirs"],
      ["mcpServers.other.disabled", true],
    ] as const) {
      expect(await set(path, value)).toMatchObject({ ok: false, code: "not-a-projects" });
    }
    expect(await set("mcpServers.docs.disabled", true)).toMatchObject({ ok: true });
  });

  it("C-02 says what was meant and what to write by hand", async () => {
    const { file } = configFile('{ "disabledSkills": [ // c\n ] }');
    expect(await setConfigurationValue(file, "skilltools.cacheSkill", true)).toMatchObject({
      candidates: ["skillTools.cacheSkills"],
    });
    expect(await setConfigurationValue(file, "disabledSkills", ["a"])).toMatchObject({
      hint: 'edit it so that it has: {"disabledSkills":["a"]}',
    });
  });
});

function configFile(text: string) {
  const folder = temporaryFolder({ "config.json": text });
  return { folder, file: join(folder, "config.json") };
}
