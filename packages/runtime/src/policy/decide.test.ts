import { parseToolRules } from "@skillwright/core/internal";
import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY, type PolicySettings, policySettings } from "../index.ts";
import { decide, type Decision, type PolicyRequest, type PolicySkill } from "../internal/index.ts";

const ON = { run_command: true, delete_file: true, network_request: true };
const places = { workingDirectory: "/work", project: "/work", home: "/home/user" };

type Row = readonly [
  tool: string,
  input: unknown,
  settings: Partial<PolicySettings>,
  decision: Decision,
];

function ask(tool: string, input: unknown, settings: Partial<PolicySettings>, more = {}) {
  const request: PolicyRequest = {
    tool,
    input,
    activeSkills: [],
    settings: { ...DEFAULT_POLICY, ...settings },
    places,
    ...more,
  };
  return decide(request);
}

function declares(allowedTools: string, name = "a"): PolicySkill {
  return { name, trusted: true, allowedTools: parseToolRules(allowedTools).rules };
}

const file = (path: string) => ({ path });
const url = (address: string) => ({ url: address });
const anyFile = file("a");

describe("defaults", () => {
  it.each<Row>([
    ["read_file", anyFile, {}, "allow"],
    ["Read", { file_path: "a" }, {}, "allow"],
    ["list_directory", {}, {}, "allow"],
    ["list_dir", {}, {}, "allow"],
    ["search_files", { pattern: "x" }, {}, "allow"],
    ["grep", { pattern: "x" }, {}, "allow"],
    ["write_file", anyFile, {}, "ask"],
    ["run_script", { script: "a.py" }, {}, "ask"],
    ["run_skill_script", { script: "scripts/a.py" }, {}, "ask"],
    ["delete_file", anyFile, {}, "deny"],
    ["run_command", { command: "ls" }, {}, "deny"],
    ["run_shell_command", { command: "ls" }, {}, "deny"],
    ["network_request", url("https://a.com"), {}, "deny"],
    ["network", url("https://a.com"), {}, "deny"],
    ["load_skill", { name: "a" }, {}, "allow"],
    ["delete_file", anyFile, { switches: ON }, "ask"],
    ["run_command", { command: "ls" }, { switches: ON }, "ask"],
    ["network_request", url("https://a.com"), { switches: ON }, "ask"],
    ["run_command", { command: "ls" }, { switches: { run_shell_command: true } }, "ask"],
    ["run_command", { command: "ls" }, { allow: ["Bash"] }, "deny"],
    ["read_file", anyFile, { switches: { read_file: false } }, "deny"],
    ["read_file", anyFile, { risks: { Read: "high" } }, "ask"],
    ["write_file", anyFile, { ask: [], risks: { write_file: "low" } }, "allow"],
    ["read_file", anyFile, { decisions: { low: "ask", medium: "ask", high: "deny" } }, "ask"],
  ])("X-10 %s %j with %j: %4$s", (tool, input, settings, decision) => {
    expect(ask(tool, input, settings).decision).toBe(decision);
  });

  it.each(["toString", "__proto__", "constructor", "hasOwnProperty", "valueOf", "", "mcp__a__b"])(
    "X-10 a tool named %j is unknown, and off until a rule names it",
    (tool) => {
      expect(ask(tool, {}, {})).toMatchObject({ decision: "deny", risk: "high" });
      expect(ask(tool, {}, { switches: { [tool]: true } }).decision).toBe("ask");
    },
  );

  it("P-05 what always asks does so even where a rule allows", () => {
    expect(ask("write_file", anyFile, { allow: ["Write"] }).decision).toBe("ask");
    expect(ask("write_file", anyFile, { allow: ["Write"], ask: [] }).decision).toBe("allow");
    expect(ask("read_file", anyFile, { ask: ["Read"] })).toMatchObject({
      decision: "ask",
      rule: "Read",
    });
  });

  it("P-05 the settings of a configuration", () => {
    const settings = policySettings({
      execution: { require_approval_for: ["network"], sandbox: "auto" },
      workspace: { enableRunCommand: true, enableReadFile: false, enableReadSkill: true },
      skillTools: { enableReadSkillTool: true },
      policy: {
        allow: [],
        ask: [],
        deny: [],
        allowedTools: "restrict",
        enableDeleteFile: false,
        enableNetworkRequest: false,
        risks: {},
      },
    } as unknown as Parameters<typeof policySettings>[0]);
    expect(settings.ask).toEqual(["network"]);
    expect(ask("run_command", { command: "ls" }, settings).decision).toBe("ask");
    expect(ask("read_file", anyFile, settings).decision).toBe("deny");
  });
});

describe("rules for files", () => {
  const open = { ask: [], switches: ON };
  it.each<Row>([
    ["write_file", file("src/a.ts"), { allow: ["Write(src/**)"] }, "allow"],
    ["write_file", file("./src/../src/a.ts"), { allow: ["Edit(src/**)"] }, "allow"],
    ["write_file", file("src/../b.ts"), { allow: ["Write(src/**)"] }, "ask"],
    ["write_file", file("src-evil/a.ts"), { allow: ["Write(src/**)"] }, "ask"],
    ["write_file", file("lib/src/a.ts"), { allow: ["Write(src/**)"] }, "ask"],
    ["write_file", file("src/a.ts"), { allow: ["Write(/src/**)"] }, "allow"],
    ["write_file", file("/work/src/a.ts"), { allow: ["Write(src/**)"] }, "allow"],
    ["write_file", file("src/a/b.ts"), { allow: ["Write(src/*)"] }, "ask"],
    ["write_file", file("src/b.ts"), { allow: ["Write(src/*.ts)"] }, "allow"],
    ["write_file", file("src/b.js"), { allow: ["Write(src/*.ts)"] }, "ask"],
    ["write_file", file("a/b/c.md"), { allow: ["Write(*.md)"] }, "allow"],
    ["write_file", file("a\\b.md"), { allow: ["Write(*.md)"] }, "ask"],
    ["write_file", file("a\nb.md"), { allow: ["Write(*.md)"] }, "ask"],
    ["write_file", file("SRC/a.ts"), { allow: ["Write(src/**)"] }, "ask"],
    ["write_file", { path: "src/a.ts", file_path: "b" }, { allow: ["Write(src/**)"] }, "ask"],
    ["write_file", {}, { allow: ["Write"] }, "ask"],
    ["write_file", "{not json", { allow: ["Write"] }, "ask"],
    ["write_file", '{"path":"src/a.ts"}', { allow: ["Write(src/**)"] }, "allow"],
    ["write_file", { Path: "secret/a" }, { allow: ["Write"], deny: ["Write(secret/)"] }, "deny"],
    ["delete_file", file("src/a"), { allow: ["delete_file"], deny: ["Edit(src/**)"] }, "deny"],
    ["read_file", file("/etc/passwd"), {}, "deny"],
    ["read_file", file("../x"), { allow: ["Read"] }, "deny"],
    ["read_file", file("/data/x"), { allow: ["Read(//data/**)"] }, "allow"],
    ["read_file", file("/home/user/x"), { allow: ["Read(~/x)"] }, "allow"],
    ["read_file", file("/workshop/x"), {}, "deny"],
    ["read_file", file(".env"), { deny: ["Read(.env)"] }, "deny"],
    ["read_file", file("a/b/.ENV"), { deny: ["Read(.env)"] }, "deny"],
    ["read_file", file("a\\.env"), { deny: ["Read(.env)"] }, "deny"],
    ["read_file", file("x/secrets/a/b"), { deny: ["Read(secrets/**)"] }, "deny"],
    ["list_directory", file("secrets"), { deny: ["Read(secrets/**)"] }, "deny"],
    ["search_files", file("secrets/a"), { deny: ["Read(secrets)"] }, "deny"],
    [
      "read_file",
      file("/home/user/.ssh/id"),
      { allow: ["Read(//**)"], deny: ["Read(~/.ssh/**)"] },
      "deny",
    ],
    ["read_file", anyFile, { deny: ["Read(!a)"] }, "ask"],
    ["read_file", anyFile, { deny: ["Read (a)"] }, "ask"],
    ["read_file", anyFile, { deny: ["Bash (a)"] }, "allow"],
    ["read_file", anyFile, { deny: ["*"] }, "deny"],
    ["read_file", anyFile, { deny: ["read_*"] }, "deny"],
    ["launch", {}, { allow: ["*"] }, "deny"],
    ["launch", {}, { allow: ["launch"] }, "allow"],
    ["mcp__db__query", {}, { allow: ["mcp__db__*"] }, "allow"],
    ["mcp__db__query", {}, { allow: ["mcp__db"] }, "allow"],
    ["mcp__dbx__query", {}, { allow: ["mcp__db"] }, "deny"],
    ["mcp__db__drop", {}, { allow: ["mcp__db__*"], deny: ["mcp__*__drop"] }, "deny"],
  ])("P-01 %s %j with %j: %4$s", (tool, input, settings, decision) => {
    expect(ask(tool, input, { ...open, ...settings }).decision).toBe(decision);
  });

  it("P-01 a link must be covered at both ends to be allowed, and at one to be denied", () => {
    const more = { realPaths: ["/work/secrets/key"] };
    const allow = { ...open, allow: ["Write(src/**)"] };
    expect(ask("write_file", file("src/a"), allow, more).decision).toBe("ask");
    expect(ask("read_file", file("a"), { deny: ["Read(secrets)"] }, more).decision).toBe("deny");
    expect(ask("read_file", file("a"), {}, { realPaths: ["/etc/x"] }).decision).toBe("deny");
  });
});

describe("rules for addresses", () => {
  const open = { ask: [], switches: ON };
  const allow = ["WebFetch(domain:example.com)"];
  it.each<Row>([
    ["WebFetch", url("https://example.com/a"), { allow }, "allow"],
    ["network_request", url("https://EXAMPLE.com./a"), { allow }, "allow"],
    ["network_request", url("https://a.example.com"), { allow }, "ask"],
    [
      "network_request",
      url("https://a.example.com"),
      { allow: ["WebFetch(domain:*.example.com)"] },
      "allow",
    ],
    [
      "network_request",
      url("https://example.com"),
      { allow: ["WebFetch(domain:*.example.com)"] },
      "ask",
    ],
    [
      "network_request",
      url("https://evilexample.com"),
      { allow: ["WebFetch(domain:*.example.com)"] },
      "ask",
    ],
    ["network_request", url("https://example.com.evil.org"), { allow }, "ask"],
    ["network_request", url("https://example.com@evil.org"), { allow: ["WebFetch"] }, "ask"],
    ["network_request", url("file:///etc/passwd"), { allow: ["WebFetch"] }, "ask"],
    ["network_request", url("nothing"), { allow: ["WebFetch"] }, "ask"],
    ["network_request", url("https://a.b.org"), { allow: ["WebFetch(domain:a.*.org)"] }, "allow"],
    ["network_request", url("https://a.b.c.org"), { allow: ["WebFetch(domain:a.*.org)"] }, "ask"],
    ["network_request", url("https://a.example.com"), { allow: ["WebFetch"], deny: allow }, "deny"],
    [
      "network_request",
      url("https://x.org"),
      { allow: ["WebFetch"], deny: ["WebFetch(x.org)"] },
      "ask",
    ],
    [
      "run_command",
      { command: "curl https://example.com/a" },
      { allow: ["Bash"], deny: allow },
      "deny",
    ],
  ])("P-01 %s %j with %j: %4$s", (tool, input, settings, decision) => {
    expect(ask(tool, input, { ...open, ...settings }).decision).toBe(decision);
  });
});

describe("skills", () => {
  const run = { script: "report.py", args: ["a"] };
  it.each<readonly [string, string, unknown, Decision]>([
    ["Read", "read_file", anyFile, "allow"],
    ["Read", "write_file", anyFile, "deny"],
    ["Read", "load_skill", { name: "b" }, "allow"],
    ["Grep Glob", "read_file", anyFile, "deny"],
    ["Write(docs/**)", "write_file", file("docs/a"), "ask"],
    ["Write(docs/**)", "write_file", anyFile, "deny"],
    ["Bash", "run_script", run, "ask"],
    ["Bash", "run_command", { command: "rm x" }, "ask"],
    ["Bash(python3:*)", "run_script", run, "ask"],
    ["Bash(python scripts/report.py:*)", "run_script", run, "ask"],
    ["Bash(${CLAUDE_SKILL_DIR}/scripts/report.py *)", "run_script", run, "ask"],
    ["run_script(scripts/report.py)", "run_script", run, "ask"],
    ["run_script(scripts/other.py)", "run_script", run, "deny"],
    ["Bash(node:*)", "run_script", run, "deny"],
    ["run_command", "run_script", run, "deny"],
    ["Bash(git:*)", "run_command", { command: "git log" }, "ask"],
    ["Bash(git:*)", "run_command", { command: "git log && rm x" }, "ask"],
    ["Bash(git:*)", "run_command", { command: "git -c a=b log" }, "ask"],
    ["Bash(git:*)", "run_command", { command: "git log > .git/hooks/x" }, "ask"],
    ["AskUserQuestion toString", "read_file", anyFile, "deny"],
  ])("P-01 a skill that declares %s: %s %j: %s", (rules, tool, input, decision) => {
    const settings = { switches: ON };
    expect(ask(tool, input, settings, { skill: declares(rules) }).decision).toBe(decision);
    const activeSkills = [declares(rules)];
    const literal = { ...settings, allowedTools: "restrict" } as const;
    expect(ask(tool, input, literal, { activeSkills }).decision).toBe(decision);
    // For a call that names no skill, a declaration asks at most.
    const asks = decision === "deny" ? "ask" : decision;
    expect(ask(tool, input, settings, { activeSkills }).decision).toBe(asks);
  });

  it("P-01 a call that names no skill passes when one active skill covers it or declares nothing", () => {
    const reader = declares("Read");
    const writer = declares("Write", "writer");
    const silent = { name: "silent", trusted: true };
    const free = { ask: [], decisions: { low: "allow", medium: "allow", high: "allow" } } as const;
    const write = (...activeSkills: PolicySkill[]) =>
      ask("write_file", anyFile, free, { activeSkills });
    expect(write()).toMatchObject({ decision: "allow" });
    expect(write(reader, writer)).toMatchObject({ decision: "allow" });
    expect(write(reader, silent)).toMatchObject({ decision: "allow" });
    expect(write(reader, declares("Bash(node:*)", "b"))).toMatchObject({
      decision: "ask",
      reason: 'not listed in the `allowed-tools` of any active skill: "a", "b"',
      unlistedBy: ["a", "b"],
    });
    // A rule that asks comes first, and the person is still told.
    const asked = ask("write_file", anyFile, {}, { activeSkills: [reader] });
    expect(asked).toMatchObject({ decision: "ask", rule: "write_file", unlistedBy: ["a"] });
  });

  it("P-01 `restrict` lets no skill borrow another's rights", () => {
    const activeSkills = [declares("Read"), declares("Write", "b"), { name: "c", trusted: true }];
    const literal = { allowedTools: "restrict" } as const;
    expect(ask("read_file", anyFile, literal, { activeSkills }).decision).toBe("deny");
    expect(ask("write_file", anyFile, literal, { activeSkills }).decision).toBe("deny");
    expect(ask("write_file", anyFile, {}, { activeSkills, skill: activeSkills[1] }).decision).toBe(
      "ask",
    );
    expect(ask("read_file", anyFile, { allowedTools: "ignore" }, { activeSkills }).decision).toBe(
      "allow",
    );
  });

  it("P-01 an empty declaration needs no tool", () => {
    expect(ask("read_file", anyFile, {}, { skill: declares("") }).decision).toBe("deny");
  });

  it("P-01 `grant` approves for trusted skills, under what denies, asks or is off", () => {
    const grant = { allowedTools: "grant", ask: [] } as const;
    const skill = declares("Write Bash(git:*)");
    const status = { command: "git status" };
    expect(ask("write_file", anyFile, grant, { skill }).decision).toBe("allow");
    expect(ask("write_file", anyFile, grant, { activeSkills: [skill] }).decision).toBe("allow");
    expect(
      ask("write_file", anyFile, grant, { activeSkills: [skill, declares("Read")] }).decision,
    ).toBe("ask");
    expect(ask("read_file", anyFile, grant, { skill }).decision).toBe("allow");
    expect(ask("run_command", status, grant, { skill }).decision).toBe("deny");
    expect(ask("run_command", status, { ...grant, switches: ON }, { skill }).decision).toBe(
      "allow",
    );
    expect(ask("write_file", anyFile, { ...grant, ask: ["Write"] }, { skill }).decision).toBe(
      "ask",
    );
    expect(ask("write_file", anyFile, { ...grant, deny: ["Edit"] }, { skill }).decision).toBe(
      "deny",
    );
    const stranger = { ...skill, trusted: false };
    expect(ask("write_file", anyFile, grant, { skill: stranger }).decision).toBe("deny");
    expect(ask("write_file", anyFile, grant, { activeSkills: [stranger] }).decision).toBe("ask");
    const silent = { name: "b", trusted: true };
    for (const other of [silent, { ...silent, trusted: false }]) {
      for (const activeSkills of [
        [skill, other],
        [other, skill],
      ]) {
        expect(ask("write_file", anyFile, grant, { activeSkills }).decision).toBe("ask");
        expect(ask("write_file", anyFile, grant, { skill, activeSkills }).decision).toBe("allow");
      }
    }
    expect(ask("read_file", anyFile, grant, { skill: stranger }).decision).toBe("deny");
  });

  it("P-01 nothing is run or written for a skill that is not trusted", () => {
    const skill = { name: "a\u001b[2J", trusted: false };
    const { decision, reason } = ask("run_script", run, { ask: [], allow: ["Bash"] }, { skill });
    expect(decision).toBe("deny");
    expect(reason).toBe(String.raw`the skill "a\u001b[2J" is not trusted`);
  });

  it("P-01 a run only narrows", () => {
    const only = { runPolicy: { only: ["Read", "Bash(git:*)"] } };
    expect(ask("read_file", anyFile, {}, only).decision).toBe("allow");
    expect(ask("write_file", anyFile, {}, only).decision).toBe("deny");
    expect(ask("run_command", { command: "git log" }, {}, only).decision).toBe("deny");
    expect(ask("run_command", { command: "git log" }, { switches: ON }, only).decision).toBe("ask");
    expect(ask("read_file", anyFile, {}, { runPolicy: { deny: ["Read"] } }).decision).toBe("deny");
    expect(ask("read_file", anyFile, {}, { runPolicy: { ask: ["Read"] } }).decision).toBe("ask");
  });
});

describe("files that hold secrets", () => {
  const decided = (tool: string, input: unknown, settings: Partial<PolicySettings> = {}) =>
    decide({
      tool,
      input,
      activeSkills: [],
      settings: { ...DEFAULT_POLICY, switches: { run_command: true }, ...settings },
      places: { workingDirectory: "/work", home: "/home/user" },
    }).decision;
  const SECRETS = [
    ".env",
    ".ENV",
    "config/.env.local",
    "server.key",
    "a/.ssh/id",
    "./x/../.pgpass",
  ];

  it.each(SECRETS)("P-01 F6 reading %s asks, under every name of the tool", (path) => {
    for (const tool of ["read_file", "Read", "view", "cat_file", "search_files", "grep"]) {
      expect(decided(tool, { path, pattern: "x" })).toBe("ask");
      expect(decided(tool, { path, pattern: "x" }, { allow: ["Read", "Read(**)", "Grep"] })).toBe(
        "ask",
      );
      expect(decided(tool, { path, pattern: "x" }, { secretReads: "deny" })).toBe("deny");
    }
  });

  it("P-01 F6 a link to one asks as well", () => {
    const request = { tool: "read_file", input: { path: "notes.txt" }, realPaths: ["/work/.env"] };
    const settings = DEFAULT_POLICY;
    const places = { workingDirectory: "/work" };
    expect(decide({ ...request, activeSkills: [], settings, places }).decision).toBe("ask");
  });

  it("P-01 F6 a command that names one asks, whatever rule allows the program", () => {
    const settings = { ask: [], allow: ["Bash(cat:*)"] };
    expect(decided("run_command", { command: "cat .env" }, settings)).toBe("ask");
    expect(decided("run_command", { command: "cat notes.txt" }, settings)).toBe("allow");
    const never = { ...settings, secretReads: "deny" as const };
    expect(decided("run_command", { command: "cat .env" }, never)).toBe("deny");
  });

  it("P-01 F6 the names of files, templates and a rule for the very file do not ask", () => {
    expect(decided("list_directory", { path: ".ssh" })).toBe("allow");
    expect(decided("read_file", { path: ".env.example" })).toBe("allow");
    expect(decided("read_file", { path: ".env" }, { allow: ["Read(.env)"] })).toBe("allow");
    const never = { allow: ["Read(.env)"], secretReads: "deny" as const };
    expect(decided("read_file", { path: ".env" }, never)).toBe("deny");
  });
});
