import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { CONFIGURATION_PATHS as OPTION_PATHS, optionValue } from "../internal/index.ts";
import { configurationJsonSchema, configurationSchemaText } from "./configuration-json-schema.ts";
import { DEFAULTS, environmentName, OPTIONS, validateOption } from "./index.ts";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), "utf8");

const accepts = new Ajv2020({ strict: true, allErrors: true }).compile(configurationJsonSchema());

describe("the JSON schema", () => {
  it("C-02 is the one that is published", () => {
    expect(read("schema/config.schema.json")).toBe(configurationSchemaText());
  });

  it("C-02 accepts the defaults, the example of 003 and sections of an appsettings.json", () => {
    for (const content of [
      {},
      JSON.parse(JSON.stringify(DEFAULTS)) as object,
      {
        $schema: "https://example.com/config.schema.json",
        skill_roots: [".agent/skills", "~/.agent/skills"],
        model: { provider: "mock", params: {} },
        execution: { require_approval_for: ["write_file", "run_script", "network"] },
        security: { max_skill_body_lines: 500, block_angle_brackets_in_frontmatter: true },
      },
      { AgentSkills: { EnableUserSkills: false, DataDir: "skills" } },
      { RuntimeOptions: { SkillNames: [], ExecutionPolicy: { RequireApprovalFor: [] } } },
      {
        policy: { allow: ["Read"], deny: ["Bash(rm:*)"], risks: { run_script: "high" } },
        execution: { domains: ["*.Example.com:8443"], writable: ["out"], memoryBytes: 2 ** 32 },
        approvals: { terminalOnly: true },
      },
      { later: 1, skillTools: { later: 1 } },
    ]) {
      expect([accepts(content), accepts.errors]).toEqual([true, null]);
    }
  });

  it.each([
    { skillTools: { cacheSkills: "no" } },
    { workspace: { commandTimeoutSeconds: 0 } },
    { lint: { rules: { a: "fatal" } } },
    { skill_roots: [""] },
    { AgentSkills: { CacheSkills: 1 } },
    { RuntimeOptions: { ExecutionPolicy: { Sandbox: "" } } },
    { trust: [] },
    { policy: { allowedTools: "all" } },
    { policy: { risks: { a: "none" } } },
    { policy: { deny: "Bash" } },
    { execution: { domains: ["https://a.com"] } },
    { execution: { processes: 0 } },
    { approvals: { terminalOnly: "yes" } },
  ])("C-02 refuses %j", (content) => {
    expect(accepts(content)).toBe(false);
  });

  it("C-02 describes every option and section, and gives the defaults", () => {
    const undescribed: string[] = [];
    const visit = (schema: unknown, path: string) => {
      const { description, properties = {} } = schema as {
        description?: string;
        properties?: object;
      };
      if (description === undefined) undescribed.push(path);
      for (const [name, inner] of Object.entries(properties)) visit(inner, `${path}/${name}`);
    };
    visit(configurationJsonSchema(), "");
    expect(undescribed).toEqual([]);
    expect(configurationJsonSchema()).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { workspace: { properties: { commandTimeoutSeconds: { default: 60 } } } },
    });
  });
});

describe("the option schemas", () => {
  it("C-02 every default is valid", () => {
    const set = OPTION_PATHS.filter((path) => optionValue(DEFAULTS, path) !== undefined);
    for (const path of set) {
      const value: unknown = optionValue(DEFAULTS, path);
      expect(validateOption({ path }, value)).toEqual({ ok: true, value });
    }
    expect(Object.keys(OPTIONS)).toEqual(OPTION_PATHS);
  });
});

describe("docs/configuration.md", () => {
  it("C-02 has every option with its default and what a project may do with it", () => {
    const text = read("docs/configuration.md");
    const rows = text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
    for (const path of OPTION_PATHS) {
      const row = rows.find((cells) => cells[1] === `\`${path}\``);
      const value: unknown = optionValue(DEFAULTS, path);
      const shown = value === undefined ? "" : `\`${JSON.stringify(value).replaceAll(",", ", ")}\``;
      expect(row?.slice(1)).toEqual([
        `\`${path}\``,
        shown,
        OPTIONS[path].description,
        OPTIONS[path].project.summary,
        "",
      ]);
    }
  });

  it("C-02 gives variables that exist", () => {
    const names = new Set(OPTION_PATHS.map(environmentName));
    const given = read("docs/configuration.md").match(/SKILLWRIGHT_[A-Z_]+(?==)/g) ?? [];
    expect(given.length).toBeGreaterThan(3);
    expect(given.filter((name) => !names.has(name))).toEqual([
      "SKILLWRIGHT_LINT__RULES__KEY_UNKNOWN",
    ]);
  });
});
