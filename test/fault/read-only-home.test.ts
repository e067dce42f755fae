import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** A home in which not even root can make a folder. */
function closedHome() {
  const folder = temporaryFolder({
    home: "a file",
    "p/.agent/skills/pdf/SKILL.md": skillText("pdf"),
    "p/.agent/skills/pdf/scripts/act.py": "open('ran', 'w').close()",
  });
  const cwd = join(folder, "p");
  const env = { HOME: join(folder, "home"), PATH: "/usr/bin:/bin" };
  return { folder, cwd, cli: (...args: string[]) => runCli(args, { cwd, env }) };
}

describe("a home where nothing can be written", () => {
  it("P-03 reading works as ever", async () => {
    const { cli } = closedHome();
    const { exitCode, stdout } = await cli("list");
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
    expect(stdout).toContain("pdf");
  });

  it("P-03 X-06 acting is refused with a reason, not as a bug, and nothing runs", async () => {
    const { folder, cwd, cli } = closedHome();
    const input = JSON.stringify({ skill_name: "pdf", script_file: "act.py", args: [] });
    const call = ["tools", "call", "run_skill_script", "--preset", "scripts", "--trust"];
    const { exitCode, stderr } = await cli(...call, "--yes=run_script", "--input", input);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(join(folder, "home"));
    expect(stderr).not.toContain("a bug");
    expect(existsSync(join(cwd, "ran"))).toBe(false);
    expect(readFileSync(join(folder, "home"), "utf8")).toBe("a file");
  });
});
