import { describe, expect, it } from "vitest";
import { CONFIGURATION_PATHS as OPTION_PATHS } from "../internal/index.ts";
import { environmentName, environmentOptions, validateOptionText } from "./index.ts";

describe("environmentOptions", () => {
  it("C-02 every option has one variable", () => {
    const names = OPTION_PATHS.map(environmentName);
    expect(new Set(names).size).toBe(names.length);
    const env = Object.fromEntries(names.map((name) => [name, ""]));
    expect(environmentOptions(env).options.map(({ path }) => path)).toEqual(OPTION_PATHS);
  });

  it.each([
    ["SKILLWRIGHT_SKILL_TOOLS__CACHE_SKILLS", "false", "skillTools.cacheSkills", false],
    ["SKILLWRIGHT_SKILL_ROOTS", "a, ~/b", "skill_roots", ["a", "~/b"]],
    ["SKILLWRIGHT_SKILL_ROOTS", '["a,b"]', "skill_roots", ["a,b"]],
    ["SKILLWRIGHT_SKILL_TOOLS__USER_SKILLS_DIR", "123", "skillTools.userSkillsDir", "123"],
    ["SKILLWRIGHT_SKILL_TOOLS__USER_SKILLS_DIR", '"a b"', "skillTools.userSkillsDir", "a b"],
    ["SKILLWRIGHT_WORKSPACE__SKILLS_DIRECTORY", "", "workspace.skillsDirectory", ""],
    ["SKILLWRIGHT_WORKSPACE__MAX_FILE_SIZE_BYTES", "10", "workspace.maxFileSizeBytes", 10],
    ["SKILLWRIGHT_EXECUTION__REQUIRE_APPROVAL_FOR", "[]", "execution.require_approval_for", []],
    ["SKILLWRIGHT_EXECUTION__SANDBOX", "none", "execution.sandbox", "none"],
    ["SKILLWRIGHT_MODEL__PARAMS", '{ "a": null }', "model.params", { a: null }],
    ["SKILLWRIGHT_MCP_SERVERS", '{ "a": {} }', "mcpServers", { a: {} }],
    ["SKILLWRIGHT_POLICY__DENY", "Bash(rm:*), Read", "policy.deny", ["Bash(rm:*)", "Read"]],
    ["SKILLWRIGHT_POLICY__RISKS", '{ "a": "high" }', "policy.risks", { a: "high" }],
    ["SKILLWRIGHT_APPROVALS__TERMINAL_ONLY", "true", "approvals.terminalOnly", true],
    ["SKILLWRIGHT_EXECUTION__DOMAINS", "a.com,*.b.com", "execution.domains", ["a.com", "*.b.com"]],
    [
      "SKILLWRIGHT_PACKS__TRUSTED_KEYS",
      "~/a.pub,/b.pub",
      "packs.trustedKeys",
      ["~/a.pub", "/b.pub"],
    ],
    ["SKILLWRIGHT_PACKS__FAIL_ON", "high", "packs.failOn", "high"],
    ["SKILLWRIGHT_PACKS__LIMITS", '{ "files": 5 }', "packs.limits", { files: 5 }],
    ["SKILLWRIGHT_LINT__RULES", '{ "a": "off" }', "lint.rules", { a: "off" }],
    ["skillwright_lint__rules__key_unknown", "off", "lint.rules", "off"],
  ])("C-02 reads %s=%s", (variable, text, path, value) => {
    const [option] = environmentOptions({ [variable]: text }).options;
    expect(option).toMatchObject({ path, value: text, origin: { layer: "environment", variable } });
    expect(validateOptionText(option!, text)).toEqual({ ok: true, value });
  });

  it.each([
    ["skillTools.cacheSkills", "yes", "must be true or false"],
    ["workspace.maxFileSizeBytes", "ten", "must be a whole number"],
    ["workspace.maxFileSizeBytes", "-1", "must be at least 1"],
    ["model.params", "a=b", "must be an object"],
    ["lint.rules", "off", "must be an object"],
    ["packs.requireSignature", "always", "must be true or false"],
    ["packs.limits", "10", "must be an object"],
    ["execution.sandbox", "wat", "must be one of auto, bubblewrap, sandbox-runtime, none"],
  ] as const)("C-02 refuses %s=%s and does not quote it", (path, text, reason) => {
    expect(validateOptionText({ path }, text)).toEqual({ ok: false, path, reason });
  });

  it("C-02 names variables that were meant for a section, and leaves others alone", () => {
    const { options, unknown } = environmentOptions({
      SKILLWRIGHT_SKILL_TOOLS__CACHE_SKILL: "true",
      SKILLWRIGHT_CACHE_DIR: "/tmp",
      SKILLWRIGHT_API_KEY: "secret",
      SKILLWRIGHT_SKILL_TOOLS__DATA_DIR: undefined,
      PATH: "/bin",
    });
    expect(options).toEqual([]);
    expect(unknown).toEqual(["SKILLWRIGHT_SKILL_TOOLS__CACHE_SKILL"]);
  });
});
