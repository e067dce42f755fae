import { existsSync } from "node:fs";
import { join } from "node:path";
import { CLIENTS } from "@skillwright/packs";
import { describe, expect, it } from "vitest";
import { skillText, writeTree } from "../../../../test/support/skill-tree.ts";
import { workplace } from "../../../../test/support/workplace.ts";

describe("install --agent", () => {
  it("K-02 C-01 puts skills where each agent looks, once for a folder that several share", async () => {
    const { run, cwd: folder } = workplace({ "pack/pdf/SKILL.md": skillText("pdf") });
    const { stdout, exitCode } = await run(
      "install",
      "./pack",
      "--agent",
      "claude-code,cursor,codex",
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain(".claude/skills/pdf");
    expect(stdout.split(".agents/skills/pdf")).toHaveLength(2);
    for (const root of [".claude/skills", ".agents/skills"]) {
      expect(existsSync(join(folder, root, "pdf/SKILL.md"))).toBe(true);
    }
    const again = await run("install", "./pack", "--agent", "claude-code,cursor", "--json");
    expect((JSON.parse(again.stdout) as { skills: unknown[] }).skills).toHaveLength(2);
  });

  it("K-02 C-01 all is every agent that is found; an unknown one is refused with near names", async () => {
    const { run, cwd: folder } = workplace({ "pack/pdf/SKILL.md": skillText("pdf") });
    writeTree(folder, { ".claude/settings.json": "{}", ".kiro/x": "" });
    expect((await run("install", "./pack", "--agent", "all")).exitCode).toBe(0);
    for (const root of [".claude/skills", ".kiro/skills"]) {
      expect(existsSync(join(folder, root, "pdf/SKILL.md"))).toBe(true);
    }
    const unknown = await run("install", "./pack", "--agent", "cursr");
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toContain("cursor");
  });

  it("K-02 the table of agents has at least 20 rows, each with folders, a source and a date", () => {
    expect(CLIENTS.length).toBeGreaterThanOrEqual(20);
    expect(new Set(CLIENTS.map(({ id }) => id)).size).toBe(CLIENTS.length);
    for (const { id, project, source, verified, date } of CLIENTS) {
      expect(id).toMatch(/^[a-z][a-z-]*$/);
      expect(project[0]).toMatch(/(?:^|\/)skills$/);
      expect(source).not.toBe("");
      expect(verified).toBe(!source.startsWith("vercel-labs/"));
      expect(date).toMatch(/^2026-\d\d-\d\d$/);
    }
  });
});
