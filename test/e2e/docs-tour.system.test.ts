import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../support/docs/documented-block.ts";
import { normalizeOutput } from "../support/docs/match-output.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** `npm start` behind its set-up: what it would build is what is tested here. */
function takeTour(env: Readonly<Record<string, string>> = {}) {
  const { PATH = "" } = process.env;
  const folder = temporaryFolder();
  const code = `import(${JSON.stringify(join(ROOT, "scripts/tour.mjs"))}).then((m) => m.takeTour())`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", code], {
    cwd: folder,
    env: { PATH, HOME: folder, TMPDIR: folder, ANTHROPIC_API_KEY: "not-to-be-used", ...env },
    encoding: "utf8",
  });
  return { status, stderr, text: normalizeOutput(stdout), left: readdirSync(folder) };
}

it("N-03 C-01 npm start shows one skill, two, none, and the way of an approval", () => {
  const { status, stderr, text, left } = takeTour();
  expect([status, stderr, left]).toEqual([0, "", []]);
  const commands = text.split("\n").filter((line) => line.startsWith("$ "));
  expect(commands).toEqual([
    '$ skillwright run "Total amount by region in sales.csv" --yes=run_script',
    '$ skillwright run "Compare terms-2025.md with terms-2026.md, and check whether sales.csv is valid" --yes=run_script',
    '$ skillwright run "Write a poem about rain"',
    '$ skillwright run "Convert 26.2 miles to kilometres"',
    "$ skillwright runs resume <run> --approve <id>",
    "$ skillwright runs list",
  ]);
  for (const part of [
    "North,3,257.68",
    "are different: 3 lines changed",
    "sales.csv is valid CSV",
    "No skill fits this request well enough.",
    "Continue it with: skillwright runs resume <run> --approve <id>",
    "(exit code 3)",
    "26.2 miles = 42.1648128 km",
  ])
    expect(text).toContain(part);
  expect(text).not.toContain("not-to-be-used");
});

it("X-06 N-03 where no sandbox works the tour goes on with what needs no script", () => {
  const { status, text, left } = takeTour({ SKILLWRIGHT_EXECUTION__SANDBOX: "sandbox-runtime" });
  expect([status, left]).toEqual([0, []]);
  const commands = text.split("\n").filter((line) => line.startsWith("$ "));
  expect(commands.map((line) => line.split(" ")[2])).toEqual([
    "run",
    "run",
    "list",
    "search",
    "read",
    "runs",
  ]);
  expect(text).toContain("The tour goes on with what needs no script.");
  expect(text).not.toContain("257.68");
});
