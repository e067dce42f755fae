import { symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  type Configuration,
  directoryRules,
  fieldsRules,
  CONFIGURATION_PATHS as OPTION_PATHS,
  optionValue,
  qualityRules,
  type Rule,
  safetyRules,
  syntaxRules,
} from "../internal/index.ts";
import {
  DEFAULTS,
  findOption,
  type GivenOption,
  type Layer,
  loadConfiguration,
  mergeOptions,
  type OptionPath,
  SAFETY_RULES,
} from "./index.ts";

const OUTSIDE = [
  "/etc",
  "~",
  "~/x",
  "~root/x",
  "..",
  "a/../..",
  "a\\..\\b",
  "\\\\host\\x",
  "C:\\x",
  "C:x",
  "a\0b",
];

/** What the user says, what the project wants, and what holds then. */
type Attack = [path: string, user: unknown, project: unknown, holds: unknown];

const ATTACKS: Attack[] = [
  ["trust.roots", undefined, ["."], undefined],
  ["trust.roots", ["/mine"], ["/mine", "."], ["/mine"]],
  ["model.provider", undefined, "openai", undefined],
  ["model.provider", "mine", "theirs", "mine"],
  ["model.params", undefined, { baseUrl: "https://evil.example", keyCommand: "curl" }, {}],
  ["model.params", { key: "k" }, {}, { key: "k" }],
  ["model.prices.openai:*", undefined, { input: 0, output: 0 }, undefined],
  [
    "model.prices.openai:*",
    { input: 1, output: 2 },
    { input: 0, output: 0 },
    { input: 1, output: 2 },
  ],
  ["mcpServers.theirs", undefined, { command: "sh" }, undefined],
  ["mcpServers.mine", { command: "good" }, { command: "bad" }, { command: "good" }],
  ["mcpServers.mine", { command: "a" }, { command: "a", env: { X: "1" } }, { command: "a" }],
  ["mcpServers.mine", { command: "a" }, { trust: true, disabled: false }, { command: "a" }],
  [
    "mcpServers.mine",
    { url: "https://a.example", disabled: true, trust: false, tools: ["a"] },
    { url: "https://b.example", disabled: false, trust: true, tools: ["a", "b"] },
    { url: "https://a.example", disabled: true, trust: false, tools: ["a"] },
  ],
  ["mcpServers.mine", { command: "a" }, { readOnlyTools: ["a"] }, { command: "a" }],
  ["mcpServers.mine", { command: "a" }, { timeoutSeconds: 121 }, { command: "a" }],
  ["execution.sandbox", undefined, "none", "auto"],
  ["runs.keep", undefined, 1, undefined],
  ["runs.keepDays", 30, 1, 30],
  ["packs.trustedKeys", undefined, ["/theirs.pub"], []],
  ["packs.trustedKeys", ["/mine.pub"], [], ["/mine.pub"]],
  ["packs.trustedKeys", ["/mine.pub"], ["/mine.pub", "/theirs.pub"], ["/mine.pub"]],
  ["packs.revokedKeys", ["/old.pub"], [], ["/old.pub"]],
  ["packs.requireSignature", true, false, true],
  ["packs.failOn", undefined, "never", "high"],
  ["packs.failOn", "medium", "high", "medium"],
  ["packs.limits.files", undefined, 2001, 2000],
  ["packs.limits.bytes", 1000, 1001, 1000],
  ["packs.limits.archiveBytes", undefined, 2 ** 40, 50 * 1024 * 1024],
  ["execution.sandbox", "bubblewrap", "auto", "bubblewrap"],
  ["execution.sandbox", "bubblewrap", "none", "bubblewrap"],
  ["execution.require_approval_for", undefined, [], ["write_file", "run_script", "network"]],
  ["execution.require_approval_for", ["a", "b"], ["c", "a"], ["a", "b", "c"]],
  ["skillTools.validateOnStartup", true, false, true],
  ["skillTools.skillsCacheDurationSeconds", undefined, 301, 300],
  ["skillTools.maxOutputSizeBytes", undefined, 51_201, 51_200],
  ["workspace.maxFileSizeBytes", undefined, 10_485_761, 10_485_760],
  ["workspace.commandTimeoutSeconds", 5, 6, 5],
  ["workspace.maxOutputSizeBytes", undefined, 102_401, 102_400],
  ["security.max_skill_body_lines", undefined, 501, 500],
  ["security.block_angle_brackets_in_frontmatter", undefined, false, true],
  ["workspace.enableRunCommand", undefined, true, false],
  ["execution.domains", undefined, ["evil.example"], []],
  ["execution.domains", ["a.com"], ["a.com", "*.a.com", "b.a.com"], ["a.com"]],
  ["execution.domains", ["*.a.com"], ["x.a.com", "a.com", "evil-a.com"], ["x.a.com"]],
  ["execution.domains", ["a.com"], ["a.com:8443"], ["a.com"]],
  ["execution.domains", ["a.com:8443"], ["a.com"], ["a.com:8443"]],
  ["execution.domains", ["*.x.a.com"], ["*.a.com"], ["*.x.a.com"]],
  ["execution.domains", ["a.com:443"], ["a.com"], ["a.com:443"]],
  ["execution.writable", undefined, ["."], []],
  ["execution.writable", ["out"], ["."], ["out"]],
  ["execution.writable", ["out"], ["out/a", "output", "src"], ["out/a"]],
  ...OUTSIDE.map((folder): Attack => ["execution.writable", ["."], [folder], ["."]]),
  ["execution.writable", ["out"], ["out/../src"], ["out"]],
  ["execution.writable", ["/mine"], ["mine"], ["/mine"]],
  ["execution.virtualEnvironment", undefined, ".venv", undefined],
  ["execution.virtualEnvironment", "/mine", "/theirs", "/mine"],
  ["execution.freshDirectory", true, false, true],
  ["execution.memoryBytes", undefined, 2 ** 31 + 1, 2 ** 31],
  ["execution.cpuSeconds", undefined, 121, 120],
  ["execution.processes", 4, 5, 4],
  ["execution.networkBytes", 4, 5, 4],
  ["policy.allow", undefined, ["Bash"], []],
  ["policy.allow", ["Bash(git:*)"], ["Bash"], ["Bash(git:*)"]],
  ["policy.allow", ["Read", "Bash(git:*)"], ["Read", "Write"], ["Read"]],
  ["policy.allowedTools", undefined, "grant", "ask"],
  ["policy.allowedTools", undefined, "ignore", "ask"],
  ["policy.allowedTools", "restrict", "ask", "restrict"],
  ["policy.allowedTools", "ignore", "grant", "ignore"],
  ["policy.allowedTools", "grant", "ignore", "grant"],
  ["policy.denySecretReads", true, false, true],
  ["policy.enableDeleteFile", undefined, true, false],
  ["policy.enableNetworkRequest", undefined, true, false],
  ["policy.risks.write_file", undefined, "low", undefined],
  ["policy.risks.write_file", undefined, "medium", undefined],
  ["policy.risks.write_file", "high", "medium", "high"],
  ["policy.risks.Write", undefined, "medium", undefined],
  ["policy.risks.run_script", "medium", "low", "medium"],
  ["approvals.terminalOnly", true, false, true],
  ...OPTION_PATHS.filter((path) => /\.(?:enable|cacheSkills)/.test(path)).map((path): Attack => [
    path,
    false,
    true,
    false,
  ]),
  ...["userSkillsDir", "projectSkillsDir", "dataDir"].flatMap((name) =>
    OUTSIDE.map((folder): Attack => [`skillTools.${name}`, undefined, folder, undefined]),
  ),
  ...OUTSIDE.map((folder): Attack => ["workspace.skillsDirectory", undefined, folder, undefined]),
  ...OUTSIDE.map((folder): Attack => ["workspace.workingDirectory", undefined, folder, "."]),
  ["workspace.workingDirectory", "/jail", "src", "/jail"],
  ["workspace.workingDirectory", "jail", "src", "jail"],
  ["workspace.workingDirectory", "jail", "jail/cell", "jail"],
  ["workspace.workingDirectory", undefined, "./src", "."],
  ["workspace.workingDirectory", undefined, ".git", "."],
  ["workspace.workingDirectory", undefined, ".agent", "."],
  ["workspace.workingDirectory", "jail", "jailbreak", "jail"],
  ["workspace.skillsDirectory", "/mine", "theirs", "/mine"],
  ["workspace.skillsDirectory", "", "theirs", ""],
  ["workspace.skillNames", [], ["theirs"], []],
  ["workspace.skillNames", ["a", "b"], ["b", "theirs"], ["b"]],
  ["skillTools.userSkillsDir", "~/mine", "theirs", "~/mine"],
  ["skillTools.userSkillsDir", undefined, "sub/skills", undefined],
  ...OUTSIDE.map((folder): Attack => ["skill_roots", undefined, [folder], undefined]),
  ["skill_roots", undefined, [".agent/skills", "~/.ssh"], [".agent/skills"]],
  ["skill_roots", ["/mine"], ["~/.agent/skills"], ["/mine"]],
  ...SAFETY_RULES.flatMap((code): Attack[] => [
    [`lint.rules.${code}`, undefined, "off", undefined],
    [`lint.rules.${code}`, undefined, "warning", undefined],
    [`lint.rules.${code}`, "warning", "info", "warning"],
  ]),
];

/** What is a project's to say. */
const WISHES: Attack[] = [
  ["mcpServers.mine", { command: "a" }, { disabled: true }, { command: "a", disabled: true }],
  [
    "mcpServers.mine",
    { command: "a", trust: true, tools: ["a", "b"], timeoutSeconds: 9 },
    { trust: false, skills: false, tools: ["b"], readOnlyTools: false, timeoutSeconds: 8 },
    {
      command: "a",
      trust: false,
      tools: ["b"],
      timeoutSeconds: 8,
      skills: false,
      readOnlyTools: false,
    },
  ],
  ["skillTools.enableUserSkills", undefined, false, false],
  ["skillTools.validateOnStartup", false, true, true],
  ["skillTools.maxOutputSizeBytes", undefined, 1000, 1000],
  ["skillTools.dataDir", undefined, "data/skills", "data/skills"],
  ["workspace.enableWriteFile", undefined, false, false],
  ["workspace.enableRunCommand", true, true, true],
  ["workspace.skillsDirectory", undefined, "skills", "skills"],
  ["workspace.skillNames", undefined, ["pdf"], ["pdf"]],
  ["workspace.skillNames", ["a", "b"], ["b"], ["b"]],
  ["execution.sandbox", undefined, "bubblewrap", "bubblewrap"],
  ["execution.sandbox", "none", "auto", "auto"],
  ["execution.sandbox", "none", "none", "none"],
  ["execution.require_approval_for", ["a"], ["a", "b"], ["a", "b"]],
  [
    "execution.domains",
    ["a.com", "*.b.com"],
    ["*.c.b.com", "A.com:443"],
    ["*.c.b.com", "A.com:443"],
  ],
  ["execution.domains", ["a.com"], [], []],
  ["execution.writable", ["out", "/mine"], ["./out/a", "/mine"], ["./out/a", "/mine"]],
  ["execution.writable", ["."], ["out"], ["out"]],
  ["execution.freshDirectory", undefined, true, true],
  ["execution.memoryBytes", undefined, 1_000_000, 1_000_000],
  ["execution.cpuSeconds", undefined, 120, 120],
  ["execution.processes", undefined, 1, 1],
  ["execution.networkBytes", undefined, 1, 1],
  ["policy.allow", ["Read", "Bash(git:*)"], ["Read"], ["Read"]],
  ["policy.allow", ["Read"], [], []],
  ["policy.ask", ["Read"], ["Write"], ["Read", "Write"]],
  ["policy.deny", ["Bash(rm:*)"], [], ["Bash(rm:*)"]],
  ["policy.deny", undefined, ["*"], ["*"]],
  ["policy.allowedTools", undefined, "restrict", "restrict"],
  ["policy.allowedTools", "ignore", "ask", "ask"],
  ["policy.allowedTools", "grant", "restrict", "restrict"],
  ["policy.allowedTools", "ignore", "restrict", "restrict"],
  ["policy.allowedTools", "ignore", "ignore", "ignore"],
  ["policy.denySecretReads", undefined, true, true],
  ["policy.enableDeleteFile", true, false, false],
  ["policy.enableNetworkRequest", true, true, true],
  ["policy.risks.read_file", undefined, "high", "high"],
  ["policy.risks.read_file", "low", "medium", "medium"],
  ["approvals.terminalOnly", undefined, true, true],
  ["packs.requireSignature", undefined, true, true],
  ["packs.failOn", undefined, "low", "low"],
  ["packs.failOn", "never", "critical", "critical"],
  ["packs.limits.files", undefined, 10, 10],
  ["packs.limits.bytes", 2 ** 40, 2 ** 39, 2 ** 39],
  ["security.max_skill_body_lines", undefined, 100, 100],
  ["lint.rules.key-unknown", "error", "off", "off"],
  ["lint.rules.angle-brackets", "off", "error", "error"],
  ["disabledSkills", ["a"], ["b", "a"], ["a", "b"]],
  [
    "skill_roots",
    undefined,
    [".agent/skills", "~/.agent/skills"],
    [".agent/skills", "~/.agent/skills"],
  ],
  ["skill_roots", ["/mine", "/other"], ["skills", "/mine"], ["skills", "/mine"]],
  ["skill_roots", undefined, [], []],
];

describe("a project's own configuration", () => {
  it.each(ATTACKS)(
    "R-12 cannot widen %s (user %j, project %j)",
    async (path, user, project, holds) => {
      for (const file of [".agent/config.json", "appsettings.json"]) {
        if (file === "appsettings.json" && foundingFile(path, project) === undefined) continue;
        const { values, problems } = await load(path, user, project, file);
        expect(valueAt(values, path)).toEqual(holds);
        expect(problems).toMatchObject([{ path, file: expect.stringContaining(file) as string }]);
        expect(problems[0]?.reason).toMatch(/^(?:a project may|only the user)/);
      }
    },
  );

  it.each(WISHES)(
    "R-12 may narrow %s (user %j, project %j)",
    async (path, user, project, holds) => {
      const { values, problems, origin } = await load(path, user, project);
      expect(valueAt(values, path)).toEqual(holds);
      expect(problems).toEqual([]);
      expect(origin(path).layer).toBe("project");
    },
  );

  it("R-12 every option is attacked above or may be set freely", () => {
    const attacked = new Set(ATTACKS.map(([path]) => findOption(path)?.path));
    expect(OPTION_PATHS.filter((path) => !attacked.has(path))).toEqual([
      "policy.ask",
      "policy.deny",
      "disabledSkills",
    ]);
  });

  it.each([
    ["skill_roots", [".agent/x"]],
    ["skill_roots", ["inner/x/deep"]],
    ["skillTools.projectSkillsDir", ".agent/x"],
    ["skillTools.dataDir", "inner/x"],
    ["skillTools.dataDir", "inner/x/not-there-yet"],
    ["skillTools.dataDir", "dangling"],
    ["skillTools.dataDir", "loop"],
    ["workspace.skillsDirectory", ".agent/x"],
  ])("R-12 cannot leave the project by a link: %s %j", async (path, wanted) => {
    for (const file of [".agent/config.json", "appsettings.json"]) {
      const content = file === "appsettings.json" ? foundingFile(path, wanted) : nest(path, wanted);
      if (content === undefined) continue;
      const folder = linkedProject({ [`project/${file}`]: JSON.stringify(content) });
      const { values, problems } = await loadConfiguration(places(folder));
      expect(values).toEqual(DEFAULTS);
      expect(problems).toMatchObject([
        { path, reason: expect.stringContaining("a link on the way") as string },
      ]);
    }
  });

  it("R-12 may name links that stay inside, and the default roots that installers make links", async () => {
    const wanted = {
      skill_roots: ["stays", ".agent/skills", "./skills/", ".agent/x"],
      skillTools: { dataDir: "stays", projectSkillsDir: ".agent/skills" },
    };
    const folder = linkedProject({ "project/.agent/config.json": JSON.stringify(wanted) });
    const { values, problems } = await loadConfiguration(places(folder));
    expect(values.skill_roots).toEqual(["stays", ".agent/skills", "./skills/"]);
    expect(values.skillTools).toMatchObject(wanted.skillTools);
    expect(problems.map(({ path }) => path)).toEqual(["skill_roots"]);
  });

  it("R-12 a default root that leads out is nothing special once the user moved the roots", async () => {
    const folder = linkedProject({
      "home/.agent/config.json": '{ "skill_roots": ["/mine"] }',
      "project/.agent/config.json": '{ "skill_roots": [".agent/skills"] }',
    });
    const { values, problems } = await loadConfiguration(places(folder));
    expect([values.skill_roots, problems.length]).toEqual([["/mine"], 1]);
  });

  it("R-12 the user's own configuration, environment and flags may point anywhere", async () => {
    const options =
      '{ "skill_roots": ["../outside", ".agent/x"], "skillTools": { "dataDir": "inner/x" } }';
    const folder = linkedProject({ "home/.agent/config.json": options });
    const { values, problems } = await loadConfiguration({
      ...places(folder),
      env: { SKILLWRIGHT_WORKSPACE__SKILLS_DIRECTORY: ".agent/x" },
      flags: { skillTools: { projectSkillsDir: "../outside" } },
    });
    expect(problems).toEqual([]);
    expect(values.skill_roots).toEqual(["../outside", ".agent/x"]);
    expect(values.skillTools).toMatchObject({ dataDir: "inner/x", projectSkillsDir: "../outside" });
    expect(values.workspace.skillsDirectory).toBe(".agent/x");
  });

  it.each([
    { trust: true },
    { trust: "all" },
    { trust: ["."] },
    { trust: { roots: ["."], folders: ["."], digests: ["sha256:0"], run: true } },
    { trust: { "roots ": ["."] }, trusted: true, "trust.roots": ["."] },
    {
      AgentSkills: { Trust: true, TrustRoots: ["."] },
      RuntimeOptions: { Trust: { Roots: ["."] } },
    },
  ])("R-12 cannot give itself trust in any form: %j", async (wanted) => {
    const folder = temporaryFolder({
      "home/.agent/config.json": '{ "trust": { "roots": ["/mine"] } }',
      "project/.agent/config.json": JSON.stringify(wanted),
    });
    const { values, problems, notes } = await loadConfiguration(places(folder));
    expect(values).toEqual({ ...DEFAULTS, trust: { roots: ["/mine"] } });
    expect(problems.length + notes.length).toBeGreaterThan(0);
  });

  it("R-12 is held against the user, so that one of its files may take back what the other says", async () => {
    const folder = temporaryFolder({
      "home/.agent/config.json": '{ "workspace": { "maxFileSizeBytes": 100 } }',
      "project/appsettings.json": '{ "RuntimeOptions": { "MaxFileSizeBytes": 10 } }',
      "project/.agent/config.json": '{ "workspace": { "maxFileSizeBytes": 50 } }',
    });
    const { values, problems } = await loadConfiguration(places(folder));
    expect(values.workspace.maxFileSizeBytes).toBe(50);
    expect(problems).toEqual([]);
  });

  it("R-12 does not bind the environment and flags, which are the user's", async () => {
    const folder = temporaryFolder({
      "home/x": "",
      "project/.agent/config.json":
        '{ "workspace": { "enableWriteFile": false, "enableReadFile": false } }',
    });
    const { values } = await loadConfiguration({
      ...places(folder),
      env: { SKILLWRIGHT_WORKSPACE__ENABLE_WRITE_FILE: "true" },
      flags: { workspace: { enableReadFile: true } },
    });
    expect(values.workspace).toMatchObject({ enableWriteFile: true, enableReadFile: true });
  });

  it("R-12 is not read in a project that is not trusted, not even if it is broken, and that is said", async () => {
    const folder = temporaryFolder({
      "home/x": "",
      "project/.agent/config.json": '{ "skillTools": { "enableUserSkills": false } }',
      "project/appsettings.json": "{ broken",
    });
    const loaded = await loadConfiguration({ ...places(folder), projectTrusted: false });
    expect(loaded.values).toEqual(DEFAULTS);
    expect(loaded).toMatchObject({ problems: [], extra: [], files: [] });
    expect(loaded.notes).toEqual(
      ["appsettings.json", ".agent/config.json"].map((name) => ({
        message: "not read, because the project is not trusted",
        file: join(folder, "project", name),
      })),
    );
  });

  it("R-12 a problem shows nothing of what the user gives a model or a server", async () => {
    for (const path of ["model.params", "mcpServers.mine"]) {
      const { problems } = await load(path, { key: "secret" }, { key: "theirs" });
      expect(problems).toHaveLength(1);
      expect(JSON.stringify(problems)).not.toMatch(/secret|"theirs"/);
    }
  });

  it("C-02 keys of Object.prototype are left out at every depth, and named", async () => {
    const folder = temporaryFolder({
      "home/.agent/config.json": `{
        "__proto__": { "skill_roots": ["/evil"] },
        "skillTools": { "constructor": {}, "__proto__": { "cacheSkills": false } },
        "lint": { "rules": { "__proto__": "off", "key-unknown": "off" } },
        "model": { "params": { "deep": [{ "__proto__": { "polluted": true } }] } },
        "mcpServers": { "prototype": {} },
        "AgentSkills": { "__proto__": { "CacheSkills": false } }
      }`,
      "project/x": "",
    });
    const { values, problems, extra } = await loadConfiguration(places(folder));
    expect(problems.map(({ path }) => path).toSorted()).toEqual(
      [
        "AgentSkills.__proto__",
        "__proto__",
        "lint.rules.__proto__",
        "mcpServers.prototype",
        "model.params.deep.0.__proto__",
        "skillTools.__proto__",
        "skillTools.constructor",
      ].toSorted(),
    );
    expect(values).toEqual({
      ...DEFAULTS,
      lint: { rules: { "key-unknown": "off" } },
      model: { ...DEFAULTS.model, params: { deep: [{}] } },
    });
    expect(extra).toEqual([]);
    expect({}).not.toHaveProperty("polluted");
    expect(Object.getPrototypeOf(values.lint.rules)).toBe(Object.prototype);
  });

  it("C-02 keys of Object.prototype in a variable are left out too", async () => {
    const folder = temporaryFolder({ "home/x": "", "project/x": "" });
    const { values } = await loadConfiguration({
      ...places(folder),
      env: {
        SKILLWRIGHT_MODEL__PARAMS: '{ "__proto__": { "a": 1 }, "b": 2 }',
        SKILLWRIGHT_LINT__RULES____PROTO__: "off",
      },
    });
    expect(Object.entries(values.model.params)).toEqual([["b", 2]]);
    expect(Object.getPrototypeOf(values.model.params)).toBe(Object.prototype);
  });

  it("C-02 an abyss of nested values is a problem, not a crash", async () => {
    const depth = 100_000;
    const folder = temporaryFolder({
      "home/.agent/config.json": `{ "later": ${"[".repeat(depth)}${"]".repeat(depth)} }`,
      "project/x": "",
    });
    const { problems } = await loadConfiguration(places(folder));
    expect(problems.map(({ reason }) => reason).join()).toMatch(/deeper/);
  });
});

describe("narrowing", () => {
  it("R-12 the rules that hide a skill from models are the ones a project may not lower", () => {
    const rules: Rule[] = [
      ...syntaxRules,
      ...fieldsRules,
      ...safetyRules,
      ...qualityRules,
      ...directoryRules,
    ];
    const hiding = rules.filter(({ effect }) => effect === "hidden");
    expect(hiding.map(({ code }) => code).toSorted()).toEqual([...SAFETY_RULES].toSorted());
    expect(hiding.every(({ severity }) => severity === "error")).toBe(true);
  });

  it("R-12 whatever two projects want in whatever order, nothing gets wider", () => {
    const options = fc.array(fc.constantFrom(...OPTION_PATHS).chain(anyOption), { maxLength: 12 });
    fc.assert(
      fc.property(options, options, options, (user, appsettings, project) => {
        const ofUser = inLayer(user, "user");
        const all = [
          ...ofUser,
          ...inLayer(appsettings, "appsettings"),
          ...inLayer(project, "project"),
        ];
        const before = merge(ofUser);
        const after = merge(all);
        for (const path of OPTION_PATHS) {
          expect([path, isWider(path, before, after)]).toEqual([path, false]);
        }
      }),
      { numRuns: numRuns(500) },
    );
  });
});

const FOLDERS = ["a", "a/b", "b", ".", "..", "/", "/a", "~/.agent/skills", "~/x", "a/../../b"];
const FAIL_ON = ["never", "critical", "high", "medium", "low"];
const NAMES = ["write_file", "run_script", "network", "a", "b"];
const HOSTS = ["a.com", "x.a.com", "y.x.a.com", "xa.com", "b.com"];
const DOMAINS = [...HOSTS, "*.a.com", "*.x.a.com", "*.com", "A.COM:443", "a.com:80", "*.a.com:80"];

function anyOption(path: OptionPath): fc.Arbitrary<{ path: OptionPath; value: unknown }> {
  return anyValue(path).map((value) => ({ path, value }));
}

function anyValue(path: OptionPath): fc.Arbitrary<unknown> {
  if (/Dir$|(?:working|skills)Directory$/.test(path)) return fc.constantFrom(...FOLDERS);
  if (path.endsWith("roots")) return fc.subarray(FOLDERS);
  if (path === "execution.writable") return fc.subarray(FOLDERS);
  if (path === "execution.domains") return fc.subarray(DOMAINS);
  if (path === "execution.virtualEnvironment") return fc.constantFrom("/a", "b");
  if (path === "policy.allowedTools") return fc.constantFrom("ask", "restrict", "grant", "ignore");
  if (path === "policy.risks") {
    return fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("low", "medium", "high"));
  }
  if (path === "execution.sandbox")
    return fc.constantFrom("none", "sandbox-runtime", "auto", "bubblewrap");
  if (path === "lint.rules") {
    const severity = fc.constantFrom("off", "info", "warning", "error");
    return fc.dictionary(fc.constantFrom("angle-brackets", "key-unknown"), severity);
  }
  if (path === "packs.failOn") return fc.constantFrom(...FAIL_ON);
  if (path === "packs.limits") {
    return fc.dictionary(fc.constantFrom("files", "bytes"), fc.integer({ min: 1998, max: 2002 }));
  }
  if (path === "model.provider") return fc.constantFrom("a", "b");
  const usual: unknown = optionValue(DEFAULTS, path);
  if (typeof usual === "boolean") return fc.boolean();
  if (typeof usual === "number") return fc.integer({ min: usual - 2, max: usual + 2 });
  return usual === undefined || Array.isArray(usual)
    ? fc.subarray(NAMES)
    : fc.dictionary(fc.constantFrom("a", "b"), fc.boolean());
}

function inLayer(options: readonly { path: OptionPath; value: unknown }[], layer: Layer) {
  return options.map((option) => ({ ...option, origin: { layer } }));
}

function merge(options: readonly GivenOption[]): Configuration {
  const validate = ({ value }: GivenOption) => ({ ok: true, value }) as const;
  return mergeOptions(options, validate, () => false).values;
}

/** Says in other words what the table says. */
function isWider(path: OptionPath, before: Configuration, after: Configuration): boolean {
  const [held, holds]: unknown[] = [optionValue(before, path), optionValue(after, path)];
  if (JSON.stringify(held) === JSON.stringify(holds)) return false;
  if (/^(?:trust|model|mcpServers|execution\.virtual|packs\.trusted)/.test(path)) return true;
  if (typeof holds === "boolean")
    return holds !== /validate|block|fresh|terminal|require|deny/.test(path);
  if (typeof holds === "number") return holds > (held as number);
  if (path === "execution.sandbox") {
    const strictness = ["none", "sandbox-runtime", "auto", "bubblewrap"];
    return strictness.indexOf(holds as string) < strictness.indexOf(held as string);
  }
  if (path === "lint.rules") {
    const severity = (rules: unknown) =>
      ["off", "info", "warning", "error"].indexOf(
        (rules as Record<string, string>)["angle-brackets"] ?? "error",
      );
    return severity(holds) < severity(held);
  }
  if (path === "packs.failOn") {
    return FAIL_ON.indexOf(holds as string) < FAIL_ON.indexOf(held as string);
  }
  if (path === "packs.limits") {
    const limits = held as Record<string, number>;
    return Object.entries(holds as Record<string, number>).some(([k, n]) => n > limits[k]!);
  }
  if (path === "policy.allowedTools") {
    return holds !== "restrict" && (holds !== "ask" || held === "restrict");
  }
  if (path === "policy.risks") {
    const risk = (risks: unknown, tool: string) => (risks as Record<string, string>)[tool];
    const order = ["low", "medium", "high"];
    return ["a", "b"].some((tool) => {
      const [was, is] = [risk(held, tool), risk(holds, tool)];
      return was !== is && order.indexOf(is ?? "low") <= order.indexOf(was ?? "medium");
    });
  }
  if (path === "execution.domains") {
    const before = reached(held as string[]);
    return [...reached(holds as string[])].some((address) => !before.has(address));
  }
  if (path === "execution.writable") {
    const before = written(held as string[]);
    return [...written(holds as string[])].some((file) => !before.has(file));
  }
  if (/require_approval_for|disabledSkills|policy\.(?:ask|deny)/.test(path)) {
    return (held as string[]).some((name) => !(holds as string[]).includes(name));
  }
  if (path === "workspace.skillNames" || path === "policy.allow") {
    return held !== undefined && (holds as string[]).some((n) => !(held as string[]).includes(n));
  }
  const harmless = ["a", "a/b", "b", "."];
  if (path === "skill_roots") {
    const usual = before.skillTools.userSkillsDir ?? "~/.agent/skills";
    const allowed = before.skill_roots ?? (before.skillTools.enableUserSkills ? [usual] : []);
    return (holds as string[]).some((root) => ![...harmless, ...allowed].includes(root));
  }
  return !harmless.includes(holds as string);
}

/** Of some hosts, those that domains stand for: scripts may also use http. */
function reached(domains: readonly string[]): ReadonlySet<string> {
  const addresses = HOSTS.flatMap((host) =>
    ["script:80", "script:443", "request:80", "request:443"].map((use) => `${host}:${use}`),
  );
  const expressions = domains.map((domain) => {
    const [name = "", port] = domain.toLowerCase().split(":");
    const uses = port === undefined ? "script:80|script:443|request:443" : `[a-z]+:${port}`;
    return new RegExp(`^${name.replaceAll(".", "\\.").replace("*", ".+")}:(?:${uses})$`);
  });
  return new Set(addresses.filter((address) => expressions.some((one) => one.test(address))));
}

/** Of some files, those that lie in one of the folders. */
function written(folders: readonly string[]): ReadonlySet<string> {
  const places = folders.map((folder) => join("/home/project", folder.replace(/^\/.*/, "../..$&")));
  const files = FOLDERS.map((folder) => join("/home/project", folder, "file"));
  return new Set(files.filter((file) => places.some((place) => file.startsWith(`${place}/`))));
}

function load(path: string, user: unknown, project: unknown, file = ".agent/config.json") {
  const wanted = file === "appsettings.json" ? foundingFile(path, project) : nest(path, project);
  const folder = temporaryFolder({
    "home/.agent/config.json": JSON.stringify(user === undefined ? {} : nest(path, user)),
    [`project/${file}`]: JSON.stringify(wanted),
  });
  return loadConfiguration(places(folder));
}

/** A project with links that lead out, nowhere, and to another folder of itself. */
function linkedProject(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder({
    "outside/deep/x": "",
    "home/x": "",
    "project/own/x": "",
    "project/.agent/y": "",
    "project/inner/y": "",
    ...files,
  });
  const link = (target: string, path: string) => symlinkSync(target, join(folder, "project", path));
  link("../../outside", ".agent/x");
  link("../../outside", ".agent/skills");
  link(join(folder, "outside"), "inner/x");
  link("../outside", "skills");
  link("../nowhere", "dangling");
  link("loop", "loop");
  link("own", "stays");
  return folder;
}

function places(folder: string) {
  return {
    home: join(folder, "home"),
    cwd: join(folder, "project"),
    env: {},
    projectTrusted: true,
  };
}

function nest(path: string, value: unknown): object {
  const { path: option, key } = findOption(path) ?? { path };
  const keys = key === undefined ? option.split(".") : [...option.split("."), key];
  return keys.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object;
}

/** The same under its name in an appsettings.json, if it has one there. */
function foundingFile(path: string, value: unknown): object | undefined {
  const [section, option = ""] = path.split(".");
  const name = option.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (section === "skillTools") return { AgentSkills: { [name]: value } };
  if (section === "workspace") return { RuntimeOptions: { [name]: value } };
  if (section !== "execution") return undefined;
  return { RuntimeOptions: { ExecutionPolicy: { [name]: value } } };
}

function valueAt(values: Configuration, text: string): unknown {
  const { path, key } = findOption(text)!;
  const value: unknown = optionValue(values, path);
  return key === undefined ? value : (value as Record<string, unknown>)[key];
}
