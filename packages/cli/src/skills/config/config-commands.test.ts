import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { displayWidth } from "@skillwright/core/internal";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { workplace } from "../../../../../test/support/workplace.ts";

describe("skillwright config unset", () => {
  it("C-02 removes an option and keeps comments, also one that is not known", async () => {
    const text =
      '{\n  // later\n  "nonsense": 1,\n  "skillTools": {\n    "cacheSkills": false\n  }\n}\n';
    const { run, cwd } = workplace({ ".agent/config.json": text });
    expect(await run("config", "unset", "skillTools.cacheSkills")).toMatchObject({ exitCode: 0 });
    expect(await run("config", "unset", "nonsense")).toMatchObject({ exitCode: 0 });
    const left = readFileSync(join(cwd, ".agent/config.json"), "utf8");
    expect(left).toContain("// later");
    expect(left).not.toMatch(/nonsense|cacheSkills/);
    const again = await run("config", "unset", "skillTools.cacheSkills");
    expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("is not set in") });
    const wrong = await run("config", "unset", "skillTools.cacheSkils");
    expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("cacheSkills") });
  });
});

describe("skillwright config init", () => {
  it("C-02 R-12 does not write through a link that someone planted", async () => {
    const { run, cwd, home } = workplace({ ".agent/x": "" }, { ".bashrc": "mine" });
    symlinkSync(join(home, ".bashrc"), join(cwd, ".agent/config.schema.json"));
    const { exitCode, stderr } = await run("config", "init");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("config.schema.json exists already");
    expect(readFileSync(join(home, ".bashrc"), "utf8")).toBe("mine");
    expect(readdirSync(join(cwd, ".agent")).sort()).toEqual(["config.schema.json", "x"]);
  });

  it("C-02 R-12 does not write through a link that leads nowhere yet", async () => {
    const { run, cwd, home } = workplace({ ".agent/x": "" });
    symlinkSync(join(home, "later"), join(cwd, ".agent/config.schema.json"));
    expect((await run("config", "init")).exitCode).toBe(2);
    expect(existsSync(join(home, "later"))).toBe(false);
  });

  it("C-02 does not overwrite a schema that is another, and keeps one that is ours", async () => {
    const { run, cwd } = workplace({ ".agent/config.schema.json": "{}" });
    expect((await run("config", "init")).exitCode).toBe(2);
    const schema = join(cwd, ".agent/config.schema.json");
    expect(readFileSync(schema, "utf8")).toBe("{}");
    const { configurationSchemaText } = await import("@skillwright/core/config-schema");
    writeFileSync(schema, configurationSchemaText());
    expect((await run("config", "init")).exitCode).toBe(0);
    expect(existsSync(join(cwd, ".agent/config.json"))).toBe(true);
  });

  it.each(["../out", "../out/later"])(
    "C-02 R-12 does not leave the project by .agent -> %s",
    async (target) => {
      const outer = temporaryFolder({ "out/x": "", "project/.git/HEAD": "" });
      const { run } = workplace({});
      symlinkSync(target, join(outer, "project/.agent"));
      const { exitCode, stderr } = await run("config", "init", "--cwd", join(outer, "project"));
      expect(exitCode).toBe(2);
      expect(stderr).toContain("leads out of the project");
      expect(readdirSync(join(outer, "out"))).toEqual(["x"]);
    },
  );

  it("C-02 makes the user's with --user", async () => {
    const { run, home } = workplace({});
    expect((await run("config", "init", "--user")).exitCode).toBe(0);
    expect(readdirSync(join(home, ".config/skillwright")).sort()).toEqual([
      "config.json",
      "config.schema.json",
    ]);
  });
});

describe("skillwright config set", () => {
  it("C-02 R-12 a link in a project does not lead it to the user's configuration", async () => {
    const { run, cwd, home } = workplace(
      { ".agent/x": "" },
      { ".config/skillwright/config.json": "{}" },
    );
    const users = join(home, ".config/skillwright/config.json");
    symlinkSync(users, join(cwd, ".agent/config.json"));
    const set = ["config", "set", "skillTools.cacheSkills", "false"];
    const { exitCode, stderr } = await run(...set);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("is a link")]);
    expect(readFileSync(users, "utf8")).toBe("{}");
    expect((await run(...set, "--user")).exitCode).toBe(0);
    expect(lstatSync(users).isFile()).toBe(true);
  });

  it.each([
    ["trust.roots", "/"],
    ["model.provider", "theirs"],
    ["execution.sandbox", "none"],
  ])("C-02 R-12 refuses %s in a project and names --user", async (path, value) => {
    const { run, cwd } = workplace({});
    const { exitCode, stdout, stderr } = await run("config", "set", path, value);
    expect([exitCode, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("--user");
    expect(existsSync(join(cwd, ".agent"))).toBe(false);
    expect((await run("config", "set", path, value, "--user")).exitCode).toBe(0);
  });

  it("C-02 holds a project against the user's files, not the environment", async () => {
    const { run } = workplace(
      {},
      { ".agent/config.json": '{ "execution": { "sandbox": "bubblewrap" } }' },
      { SKILLWRIGHT_EXECUTION__SANDBOX: "none" },
    );
    expect((await run("config", "set", "execution.sandbox", "auto")).exitCode).toBe(2);
    expect((await run("config", "set", "execution.sandbox", "bubblewrap")).exitCode).toBe(0);
  });

  it("C-02 says that the file of an untrusted folder is not read yet", async () => {
    const { run } = workplace({});
    const set = ["config", "set", "skillTools.cacheSkills", "false"];
    expect((await run(...set)).stderr).toContain("skillwright trust");
    await run("trust");
    expect((await run(...set)).stderr).toBe("");
  });
});

describe("skillwright config", () => {
  it("C-02 shows each entry of an option that several layers give", async () => {
    const { run, json } = workplace(
      {},
      { ".agent/config.json": '{ "lint": { "rules": { "key-unknown": "off" } } }' },
      { SKILLWRIGHT_LINT__RULES__BODY_EMPTY: "error" },
    );
    const { stdout } = await run("config");
    expect(stdout).toMatch(/^lint\.rules\.key-unknown +user +"off"$/m);
    expect(stdout).toMatch(/^lint\.rules\.body-empty +environment +"error"$/m);
    const { values } = await json("config");
    expect(values).toContainEqual(
      expect.objectContaining({ path: "lint.rules", layer: "environment" }),
    );
  });

  it("C-02 fits into 80 columns, with the files below", async () => {
    const { run, cwd } = workplace(
      { ".agent/config.json": '{ "skillTools": { "cacheSkills": false } }' },
      {
        ".agent/config.json": '{ "disabledSkills": ["a"] }',
        ".config/skillwright/config.json": '{ "skillTools": { "skillsCacheDurationSeconds": 5 } }',
      },
    );
    mkdirSync(join(cwd, "deep"));
    await run("trust");
    const { stdout } = await run("config", "--cwd", "deep");
    expect(stdout.split("\n").filter((line) => displayWidth(line) > 80)).toEqual([]);
    expect(stdout).toMatch(/^skillTools\.cacheSkills +project +false$/m);
    expect(stdout).toMatch(/^skillTools\.skillsCacheDurationSeconds +user 2 +5$/m);
    expect(stdout).toMatch(/^user {9}~\/\.agent\/config\.json$/m);
    expect(stdout).toMatch(/^user 2 {7}~\/\.config\/skillwright\/config\.json$/m);
    expect(stdout).toMatch(/^project {6}\.agent\/config\.json$/m);
  });

  it("C-02 names the variable of a value that is not valid", async () => {
    const { run } = workplace({}, {}, { SKILLWRIGHT_EXECUTION__SANDBOX: "wat" });
    const { exitCode, stderr } = await run("list");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("execution.sandbox in SKILLWRIGHT_EXECUTION__SANDBOX must be one of");
  });
});
