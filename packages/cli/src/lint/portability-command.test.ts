import { expect, it } from "vitest";
import { runCli } from "../../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const SKILL =
  "---\nname: pdf\ndescription: Fills forms. Use for PDF.\nallowed-tools: Read\n---\nDo it.\n";
const project = () => temporaryFolder({ ".agents/skills/pdf/SKILL.md": SKILL });
const PATH = ".agents/skills/pdf";

it("C-04 lint --for prints what each client makes of a skill, with the fix", async () => {
  const cwd = project();
  const one = await runCli(["lint", PATH, "--for", "codex"], { cwd });
  expect(one.exitCode).toBe(0);
  expect(one.stdout).toContain("pdf for codex: found\n  ignored  allowed-tools has no effect\n");
  const two = await runCli(["lint", PATH, "--for", "codex,claude-code", "--json"], { cwd });
  expect(two.exitCode).toBe(1);
  expect(JSON.parse(two.stdout)).toMatchObject({
    portability: [
      { skill: "pdf", client: "codex", outcome: "found" },
      { skill: "pdf", client: "claude-code", outcome: "not found", findings: [{ kind: "place" }] },
    ],
  });
  const all = await runCli(["lint", PATH, "--for", "all"], { cwd });
  expect(all.exitCode).toBe(0);
  expect(all.stdout).toMatch(/pdf +github-copilot +found +ignored 1/);
  const unknown = await runCli(["lint", PATH, "--for", "nope"], { cwd });
  expect(unknown.exitCode).toBe(2);
  expect(unknown.stderr).toContain('unknown client "nope"');
});

it("C-04 prompt --as shows only what the client finds", async () => {
  const cwd = project();
  const args = ["prompt", "--root", ".agents/skills", "--trust", "--as"];
  const codex = await runCli([...args, "codex"], { cwd });
  expect(codex.stdout).toBe("- pdf: Fills forms. Use for PDF.\n");
  const claude = await runCli([...args, "claude-code"], { cwd });
  expect(claude.stdout).toBe("");
  expect(claude.stderr).toContain("Claude Code finds 0 of 1 skill");
});
