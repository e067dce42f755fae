import { describe, expect, it } from "vitest";
import { CONFIGURATION_PATHS as OPTION_PATHS } from "../internal/index.ts";
import { DEFAULTS, findOption, FOUNDING_SECTIONS } from "./index.ts";

describe("the options", () => {
  it("C-02 skillTools has every option of 000 FR-6.2 and DataDir of 001, with their defaults", () => {
    expect(DEFAULTS.skillTools).toStrictEqual({
      enableUserSkills: true,
      enableProjectSkills: true,
      userSkillsDir: undefined,
      projectSkillsDir: undefined,
      dataDir: undefined,
      cacheSkills: true,
      validateOnStartup: true,
      skillsCacheDurationSeconds: 300,
      enableReadSkillTool: true,
      enableReadFileTool: true,
      enableListDirectoryTool: true,
      maxOutputSizeBytes: 51_200,
    });
  });

  it("N-04 RuntimeOptions has exactly the properties of 004", () => {
    const names = FOUNDING_SECTIONS["RuntimeOptions"] ?? {};
    expect(Object.keys(names).toSorted()).toEqual(
      [
        "WorkingDirectory",
        "SkillsDirectory",
        "SkillNames",
        "EnableReadFile",
        "EnableWriteFile",
        "EnableListDirectory",
        "EnableSearchFiles",
        "EnableRunCommand",
        "EnableReadSkill",
        "MaxFileSizeBytes",
        "CommandTimeoutSeconds",
        "MaxOutputSizeBytes",
        "ExecutionPolicy",
      ].toSorted(),
    );
    expect(Object.keys(names).toSorted()).toEqual(
      [...Object.keys(DEFAULTS.workspace).map(upperFirst), "ExecutionPolicy"].toSorted(),
    );
  });

  it("N-04 the properties that 004 removes are gone", () => {
    const removed = [
      "AgentName",
      "ProjectRoot",
      "EnableUserSkills",
      "EnableProjectSkills",
      "UserSkillsDirectoryOverride",
      "ProjectSkillsDirectoryOverride",
      "RefreshIntervalSeconds",
    ];
    for (const name of removed) {
      expect(FOUNDING_SECTIONS["RuntimeOptions"]).not.toHaveProperty(name);
      expect(Object.keys(DEFAULTS.workspace).map(upperFirst)).not.toContain(name);
    }
  });

  it("X-10 the workspace tools are on but for run_command, within the limits of 004", () => {
    expect(DEFAULTS.workspace).toMatchObject({
      workingDirectory: ".",
      enableReadFile: true,
      enableWriteFile: true,
      enableListDirectory: true,
      enableSearchFiles: true,
      enableRunCommand: false,
      enableReadSkill: true,
      maxFileSizeBytes: 10_485_760,
      commandTimeoutSeconds: 60,
    });
  });

  it("R-03 named loading is off unless it is asked for: an empty list would load nothing", () => {
    expect(DEFAULTS.workspace.skillsDirectory).toBeUndefined();
    expect(DEFAULTS.workspace.skillNames).toBeUndefined();
  });

  it("T-09 a skill read and a workspace tool have limits of their own", () => {
    expect(DEFAULTS.skillTools.maxOutputSizeBytes).toBe(51_200);
    expect(DEFAULTS.workspace.maxOutputSizeBytes).toBe(102_400);
  });

  it("P-05 writing, scripts and the network ask by default", () => {
    expect(DEFAULTS.execution.require_approval_for).toEqual([
      "write_file",
      "run_script",
      "network",
    ]);
  });

  it("X-10 least privilege: no rule allows, nothing is reached or written, tools that reach out are off", () => {
    expect(DEFAULTS.policy).toStrictEqual({
      allow: [],
      ask: [],
      deny: [],
      allowedTools: "ask",
      enableDeleteFile: false,
      denySecretReads: false,
      enableNetworkRequest: false,
      risks: {},
    });
    expect(DEFAULTS.execution).toMatchObject({ domains: [], writable: [], sandbox: "auto" });
    expect(DEFAULTS.approvals).toStrictEqual({ terminalOnly: false });
  });

  it("C-02 every option has one path, and only entries of records have more", () => {
    expect(new Set(OPTION_PATHS).size).toBe(OPTION_PATHS.length);
    expect(OPTION_PATHS).toContain("skill_roots");
    expect(OPTION_PATHS).toContain("trust.roots");
    expect(findOption("lint.rules.key-unknown")).toEqual({
      path: "lint.rules",
      key: "key-unknown",
    });
    expect(findOption("skillTools")).toBeUndefined();
    expect(findOption("skillTools.cacheSkills.deeper")).toBeUndefined();
    expect(findOption("lint.rules.")).toBeUndefined();
    expect(findOption("lint.rules.__proto__")).toBeUndefined();
    expect(findOption("constructor")).toBeUndefined();
  });
});

function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
