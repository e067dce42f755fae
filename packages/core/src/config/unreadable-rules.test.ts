import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { loadConfiguration, setConfigurationValue, unreadableRules } from "./index.ts";

describe("rules that cannot be read", () => {
  it.each([
    ["policy.allow", ["Read", "Bash(git:*)", "mcp__a__*"], []],
    ["policy.allow", ["Read", "*", "Bash (git:*)", " "], [1, 2, 3]],
    ["policy.deny", ["*", "mcp__*", "Bash(rm", "Read"], [2]],
    ["policy.ask", ["Bash [git:*]", ","], [0, 1]],
    ["execution.require_approval_for", ["network", "run script("], [1]],
    ["disabledSkills", ["Bash(rm"], []],
    ["policy.risks", { "Bash(rm": "high" }, []],
  ] as const)("P-01 in %s %j: %j", (path, value, places) => {
    expect(unreadableRules(path, value).map((doubt) => doubt.path)).toEqual(
      places.map((i) => `${path}.${i}`),
    );
  });

  it("P-01 are reported with their place, and stay, so that nothing is denied less", async () => {
    const folder = temporaryFolder({
      "home/.agent/config.json": '{ "policy": { "deny": ["Bash(rm", "Read(secrets/**)"] } }',
      "project/.agent/config.json": '{ "policy": { "deny": ["Write(x"], "allow": ["Bash("] } }',
    });
    const [home, cwd] = [join(folder, "home"), join(folder, "project")];
    const loaded = await loadConfiguration({ home, cwd, env: {}, projectTrusted: true });
    expect(loaded.values.policy.deny).toEqual(["Bash(rm", "Read(secrets/**)", "Write(x"]);
    expect(loaded.values.policy.allow).toEqual([]);
    expect(loaded.problems).toMatchObject([
      { path: "policy.deny.0", layer: "user", reason: expect.stringContaining("asks") as string },
      { path: "policy.deny.0", layer: "project", file: join(cwd, ".agent/config.json") },
      { path: "policy.allow.0", layer: "project" },
      { path: "policy.allow", layer: "project" },
    ]);
  });

  it("P-01 are not written by hand into a file", async () => {
    const file = join(temporaryFolder({ "a/b": "" }), "config.json");
    expect(await setConfigurationValue(file, "policy.deny", ["Bash(rm"])).toEqual({
      ok: false,
      code: "value-invalid",
      message: "policy.deny.0 cannot be read as a rule; what it may mean asks",
    });
    expect(
      await setConfigurationValue(file, "policy.deny", "Bash(rm:*)", { isText: true }),
    ).toEqual({ ok: true, file, created: true });
  });
});
