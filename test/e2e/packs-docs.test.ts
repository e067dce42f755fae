import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const path = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

const BIN = path("packages/cli/bin/skillwright.cjs");

it("K-01 K-02 K-03 K-04 every command of docs/packs.md works, in the order it stands there", () => {
  const cwd = temporaryFolder({
    ".git/HEAD": "",
    "shared/pdf-tools/SKILL.md": skillText("pdf-tools"),
    "shared/csv/SKILL.md": skillText("csv"),
    "drafts/notes/SKILL.md": skillText("notes"),
  });
  const HOME = temporaryFolder();
  const text = readFileSync(path("docs/packs.md"), "utf8");
  const commands = [...text.matchAll(/^```sh\n([^`]+)^```$/gm)]
    .flatMap(([, block = ""]) => block.trim().split("\n"))
    .map((line) => line.replace(/\s+#.*$/, ""));
  expect(commands.length).toBeGreaterThan(20);
  for (const command of commands) {
    const script = `skillwright() { "${process.execPath}" "${BIN}" "$@"; }; ${command}`;
    const { status, stderr } = spawnSync("bash", ["-c", script], {
      cwd,
      env: { PATH: process.env["PATH"], HOME },
      encoding: "utf8",
      timeout: 30_000,
    });
    expect([command, status, stderr]).toEqual([command, 0, expect.any(String)]);
  }
});
