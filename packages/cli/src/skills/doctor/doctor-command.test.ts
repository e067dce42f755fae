import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText, writeTree } from "../../../../../test/support/skill-tree.ts";
import { workplace } from "../../../../../test/support/workplace.ts";
import type { Check } from "../index.ts";

async function checksOf({ json }: ReturnType<typeof workplace>, ...args: string[]) {
  return (await json("doctor", ...args))["checks"] as Check[];
}

describe("skillwright doctor", () => {
  it("C-01 names MCP servers without starting them, and who asks them", async () => {
    const mcpServers = { docs: { command: "no-such-program" } };
    const configuration = JSON.stringify({ mcpServers });
    const place = workplace({}, { ".config/skillwright/config.json": configuration });
    const checks = await checksOf(place);
    expect(checks.find(({ name }) => name === "servers")).toEqual({
      name: "servers",
      status: "ok",
      message: "docs (not asked)",
      hint: "skillwright mcp check asks them",
    });
    expect((await checksOf(workplace({}))).some(({ name }) => name === "servers")).toBe(false);
  });

  it("C-02 P-01 a misspelt option that was to restrict is a warning everywhere", async () => {
    const configuration = JSON.stringify({ policy: { denny: ["Bash(rm:*)"] }, other: { x: 1 } });
    const place = workplace({}, { ".config/skillwright/config.json": configuration });
    const check = (await checksOf(place)).find(({ name }) => name === "configuration");
    expect(check).toMatchObject({ status: "warning", hint: "skillwright config" });
    expect(check?.message).toMatch(
      /^policy\.denny is not an option .* did you mean policy\.deny\?$/,
    );
    const { stderr, exitCode } = await place.run("list");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("policy.denny is not an option of this version and has no effect");
    expect(stderr).not.toContain("other");
    expect((await place.run("list", "--verbose")).stderr).toContain("other");
  });

  it("R-05 C-01 warns of a root that was named and is not there", async () => {
    const place = workplace({});
    const checks = await checksOf(place, "--root", "/nope");
    const roots = checks.filter(({ name }) => name === "root");
    expect(roots).toMatchObject([
      { status: "warning", message: expect.stringContaining("/nope") as string },
    ]);
  });

  it("R-05 C-01 warns where the search stopped at a limit, and of links", async () => {
    const place = workplace({ "elsewhere/a/SKILL.md": skillText("a") });
    mkdirSync(join(place.cwd, ".agent/skills/1/2/3/4/5/6/7/8"), { recursive: true });
    symlinkSync(join(place.cwd, "elsewhere"), join(place.cwd, ".agent/skills/link"));
    const checks = await checksOf(place);
    const warnings = checks.filter(({ name, status }) => name === "root" && status === "warning");
    expect(warnings.map(({ hint = "" }) => hint.slice(hint.lastIndexOf(" ") + 1)).sort()).toEqual([
      "link-not-searched",
      "scan-limit",
    ]);
  });

  it("C-01 C-02 finds a configuration that cannot be read, and goes on", async () => {
    const place = workplace({ ".agent/skills/pdf/SKILL.md": skillText("pdf") });
    await place.run("trust");
    writeTree(place.cwd, { ".agent/config.json": "{" });
    expect((await place.run("list")).exitCode).toBe(2);
    expect((await place.run("doctor")).exitCode).toBe(1);
    const checks = await checksOf(place);
    expect(checks).toContainEqual(
      expect.objectContaining({
        name: "configuration",
        status: "error",
        message: expect.stringContaining("not JSON at line 1") as string,
      }),
    );
    expect(checks).toContainEqual(expect.objectContaining({ name: "skills", status: "ok" }));
    expect(checks.filter(({ name }) => name === "configuration")).toHaveLength(1);
  });

  it.each([
    ["trust.json", "trust"],
    ["disabled.json", "switches"],
  ])("C-01 R-12 finds a damaged %s, and goes on", async (file, name) => {
    const place = workplace({ ".agent/skills/pdf/SKILL.md": skillText("pdf") });
    writeTree(place.home, { [`.local/state/skillwright/${file}`]: "garbage" });
    const { exitCode, stderr } = await place.run("list");
    expect(exitCode).toBe(2);
    expect(stderr).toContain(file);
    expect(await checksOf(place)).toContainEqual(
      expect.objectContaining({
        name,
        status: "error",
        message: expect.stringContaining(file) as string,
      }),
    );
    expect((await place.run("doctor")).exitCode).toBe(1);
  });
});
