import { loadConfiguration } from "@skillwright/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numRuns } from "../../../../test/support/suite.ts";
import { parseDomainRule } from "../execution/index.ts";
import { DEFAULT_POLICY, policySettings } from "../index.ts";
import { decide, DEFAULT_LIMITS } from "../internal/index.ts";
import { readRules, TOOLS } from "./index.ts";

describe("the settings of a configuration", () => {
  it("X-10 the defaults of the configuration are those of the policy", async () => {
    const { values } = await load({});
    const { switches, ask, ...settings } = policySettings(values);
    const { switches: _switches, ask: usualAsk, ...usual } = DEFAULT_POLICY;
    expect(settings).toEqual(usual);
    expect(ask.map((name) => (name === "network" ? "network_request" : name))).toEqual(usualAsk);
    for (const [tool, isOn] of Object.entries(switches)) {
      expect([tool, isOn]).toEqual([tool, TOOLS.get(tool)?.on]);
    }
  });

  it("X-05 the limits of the configuration are those of the executors", async () => {
    const { execution, workspace } = (await load({})).values;
    expect({
      memoryBytes: execution.memoryBytes,
      cpuSeconds: execution.cpuSeconds,
      processes: execution.processes,
      timeoutMs: workspace.commandTimeoutSeconds * 1000,
      outputBytes: workspace.maxOutputSizeBytes,
    }).toEqual({
      memoryBytes: DEFAULT_LIMITS.memoryBytes,
      cpuSeconds: DEFAULT_LIMITS.cpuSeconds,
      processes: DEFAULT_LIMITS.processes,
      timeoutMs: DEFAULT_LIMITS.timeoutMs,
      outputBytes: DEFAULT_LIMITS.outputBytes,
    });
  });

  it.each<[tool: string, input: object, policy: object, decision: string]>([
    ["read_file", { path: "a" }, {}, "allow"],
    ["read_file", { path: "a" }, { deny: ["Read(a)"] }, "deny"],
    ["read_file", { path: ".env" }, {}, "ask"],
    ["read_file", { path: ".env" }, { denySecretReads: true }, "deny"],
    ["read_file", { path: "a" }, { ask: ["Read"] }, "ask"],
    ["read_file", { path: "a" }, { risks: { Read: "medium" } }, "ask"],
    ["read_file", { path: "a" }, { deny: ["Read(a"] }, "ask"],
    ["delete_file", { path: "a" }, {}, "deny"],
    ["delete_file", { path: "a" }, { enableDeleteFile: true }, "ask"],
    ["other_tool", {}, {}, "deny"],
    ["other_tool", {}, { allow: ["other_tool"] }, "allow"],
    ["other_tool", {}, { allow: ["other_tool"], deny: ["other_*"] }, "deny"],
    ["delete_file", { path: "a" }, { allow: ["Delete"] }, "deny"],
    ["network_request", { url: "https://a.com" }, {}, "deny"],
    ["network_request", { url: "https://a.com" }, { enableNetworkRequest: true }, "ask"],
    ["write_file", { path: "a" }, { allow: ["Write"] }, "ask"],
  ])("P-05 %s %j under %j: %s", async (tool, input, policy, decision) => {
    const { values } = await load({ policy });
    const found = decide({
      tool,
      input: { ...input },
      settings: policySettings(values),
      activeSkills: [],
      places: { workingDirectory: "/work" },
    });
    expect(found.decision).toBe(decision);
  });

  it.each<[mode: string, decision: string]>([
    ["ask", "deny"],
    ["restrict", "deny"],
    ["grant", "allow"],
    ["ignore", "ask"],
  ])("P-01 allowedTools %s", async (allowedTools, decision) => {
    const { values } = await load({
      policy: { allowedTools },
      workspace: { enableRunCommand: true },
    });
    const declared = decision === "allow" ? "run_command" : "read_file";
    const skill = { name: "a", trusted: true, allowedTools: [{ tool: declared }] };
    const found = decide({
      tool: "run_command",
      input: { command: "ls" },
      settings: policySettings(values),
      skill,
      activeSkills: [skill],
      places: { workingDirectory: "/work" },
    });
    expect(found.decision).toBe(decision);
  });

  it("P-01 a host adds rules and takes none away", async () => {
    const policy = { allow: ["Read"], ask: ["Grep"], deny: ["Glob"], risks: { a: "high" } };
    const { values } = await load({ policy, workspace: { enableReadFile: false } });
    const more = { allow: ["x"], ask: ["y"], deny: ["z"], switches: { read_file: true } };
    expect(policySettings(values, more)).toMatchObject({
      allow: ["Read", "x"],
      ask: [...values.execution.require_approval_for, "Grep", "y"],
      deny: ["Glob", "z"],
      risks: { a: "high" },
      switches: { read_file: false },
    });
  });

  it("X-10 a domain of the configuration is one to the sandbox's network, too", async () => {
    const label = fc.stringMatching(/^[A-Za-z0-9-]{1,6}$/);
    const domain = fc
      .tuple(
        fc.constantFrom("", "*."),
        fc.array(label, { minLength: 1, maxLength: 3 }),
        fc.constantFrom("", ".", ":80", ":443", ":0", ":65535", ":65536", ".:8443", ":"),
      )
      .map(([start, labels, end]) => start + labels.join(".") + end);
    const taken: string[] = [];
    await fc.assert(
      fc.asyncProperty(domain, async (text) => {
        const { values } = await load({ execution: { domains: [text] } });
        taken.push(...values.execution.domains);
      }),
      { numRuns: numRuns(500) },
    );
    expect(taken.length).toBeGreaterThan(numRuns(500) / 25);
    expect(taken.filter((text) => parseDomainRule(text) === undefined)).toEqual([]);
  });

  it("P-01 the loader reports each rule that policy cannot read", async () => {
    const piece = fc.constantFrom("Bash", "Read", "(", ")", "git:*", "*", " ", ",", "[", "mcp__a");
    const rule = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
    const lists = fc.record({ allow: fc.array(rule), deny: fc.array(rule) });
    await fc.assert(
      fc.asyncProperty(lists, async ({ allow, deny }) => {
        const { problems } = await load({ policy: { allow, deny } });
        const reported = new Set(problems.map(({ path }) => path));
        allow.forEach((text, i) => {
          const rules = readRules([text], "permit");
          const isReadable = rules.length > 0 && rules.every(({ tool }) => tool !== undefined);
          expect([text, reported.has(`policy.allow.${i}`)]).toEqual([text, !isReadable]);
        });
        deny.forEach((text, i) => {
          const rules = readRules([text], "restrict");
          const isReadable = rules.length > 0 && rules.every(({ tool }) => tool !== undefined);
          expect([text, reported.has(`policy.deny.${i}`)]).toEqual([text, !isReadable]);
        });
      }),
      { numRuns: 100 },
    );
  });
});

/** The configuration that the environment gives. */
function load(options: object) {
  const env = Object.fromEntries(
    Object.entries(options).flatMap(([section, values]) =>
      Object.entries(values as object).map(([name, value]) => [
        `SKILLWRIGHT_${section.toUpperCase()}__${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`,
        JSON.stringify(value),
      ]),
    ),
  );
  return loadConfiguration({ cwd: "/nowhere", home: "/nowhere", projectTrusted: false, env });
}
