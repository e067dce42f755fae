import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { skillText } from "../support/skill-tree.ts";

const BIN = fileURLToPath(new URL("../../packages/cli/bin/skillwright.cjs", import.meta.url));
const SELECT = { action: "select_skills", skills: [{ name: "pdf" }] };
const READ = { action: "load_resource", skill: { name: "pdf" }, relative_path: "references/a.md" };
const ACTIONS = [SELECT, READ, { action: "final_answer", answer: "done" }];

function world() {
  const folder = temporaryFolder({
    ".agent/skills/pdf/SKILL.md": skillText("pdf", "Merges PDF files. Use to join them."),
    ".agent/skills/pdf/references/a.md": "# A\n",
    "actions.json": JSON.stringify({ actions: ACTIONS }),
  });
  const skillwright = `"${process.execPath}" "${BIN}"`;
  const run = `${skillwright} run join --trust --model mock:actions.json`;
  const shell = (command: string) => {
    const { PATH } = process.env;
    const env = { PATH, HOME: folder, XDG_STATE_HOME: join(folder, "state") };
    return spawnSync("bash", ["-c", command], { cwd: folder, encoding: "utf8", env });
  };
  const statuses = () => {
    const runs = join(folder, ".agent/runs");
    return readdirSync(runs)
      .filter((name) => !name.startsWith("."))
      .map(
        (name) =>
          (JSON.parse(readFileSync(join(runs, name, "run.json"), "utf8")) as { status: string })
            .status,
      );
  };
  return { skillwright, run, shell, statuses };
}

describe("an output that cannot be written", () => {
  it("C-01 P-03 a run whose reader has seen enough ends in order, and leaves a record", () => {
    const { run, shell, statuses } = world();
    const reader = "(exec 0<&-; sleep 3)";
    const { status } = shell(`${run} --events | ${reader}; exit "\${PIPESTATUS[0]}"`);
    expect(status).toBe(0);
    expect(statuses()).toEqual([expect.stringMatching(/^(?:canceled|answered)$/)]);
  });

  it.each(["list", "run"])("C-01 %s into a full disk is one line and exit code 1", (name) => {
    const { skillwright, run, shell } = world();
    const command = name === "run" ? `${run} --quiet` : `${skillwright} list --quiet`;
    const { status, stderr } = shell(`${command} > /dev/full`);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^error: the result cannot be written: [^\n]*ENOSPC[^\n]*\n$/),
    });
  });
});
