import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { setConfigurationValue } from "./set-value.ts";

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
