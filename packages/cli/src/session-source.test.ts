import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { skillText } from "../../../test/support/skill-tree.ts";
import { workplace } from "../../../test/support/workplace.ts";

const place = (config = "{}") =>
  workplace(
    {
      ".agent/skills/pdf/SKILL.md": skillText("pdf", "Theirs, about files. Use when asked."),
      ".agent/skills/csv/SKILL.md": skillText("csv"),
    },
    {
      ".agent/skills/pdf/SKILL.md": skillText("pdf", "Mine, about files. Use when asked."),
      ".agent/config.json": config,
    },
  );

const USERS = expect.objectContaining({ name: "pdf", source: "user" }) as unknown;

describe("--source", () => {
  it("R-04 list shows the skills of that source, shadowed or not", async () => {
    const { run, json } = place();
    await run("trust");
    expect((await json("list", "--source", "user"))["skills"]).toEqual([USERS]);
    expect((await json("list", "--source", "project"))["skills"]).toHaveLength(2);
    expect((await json("list", "--source", "builtin"))["skills"]).toEqual([]);
  });

  it("R-04 list does so whichever option names the roots", async () => {
    const { run, json, cwd } = place('{ "skill_roots": [".agent/skills", "~/.agent/skills"] }');
    await run("trust");
    expect((await json("list", "--source", "user"))["skills"]).toEqual([USERS]);
    const roots = ["--root", join(cwd, ".agent/skills")];
    expect((await json("list", "--source", "user", ...roots))["skills"]).toEqual([]);
    expect((await json("list", "--source", "project", ...roots))["skills"]).toHaveLength(2);
    const named = place('{ "workspace": { "skillsDirectory": ".agent/skills" } }');
    expect((await named.json("list", "--source", "user"))["skills"]).toEqual([]);
  });

  it("R-04 inspect, explain, search, prompt and read take the one of that source", async () => {
    const { run, json } = place();
    await run("trust");
    const from = ["--source", "user"];
    expect(await json("inspect", "pdf", ...from)).toMatchObject({ source: "user" });
    expect((await json("search", "files", ...from))["results"]).toEqual([USERS]);
    expect((await run("prompt", ...from)).stdout).toContain("Mine, about files.");
    expect((await run("read", "pdf", ...from)).stdout).toContain("Mine, about files.");
    expect((await run("inspect", "csv", ...from)).exitCode).toBe(1);
    const { places, catalog } = await json("explain", "pdf", ...from);
    expect(catalog).toBeUndefined();
    expect(places).toContainEqual(expect.objectContaining({ source: "user", outcome: "chosen" }));
    expect(places).toHaveLength(2);
  });

  it.each([
    ["list"],
    ["inspect", "pdf"],
    ["explain", "pdf"],
    ["search", "files"],
    ["prompt"],
    ["read", "pdf"],
    ["disable", "pdf"],
    ["tools"],
  ])("R-04 C-01 one that does not exist is wrong usage: %s %s", async (...args) => {
    const { run } = place();
    const { exitCode, stderr } = await run(...args, "--source", "bogus");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("project, user, builtin");
  });
});
