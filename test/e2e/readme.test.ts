import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { builtCli } from "../support/built-cli.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const README = readFileSync(join(ROOT, "README.md"), "utf8");

it("F-06 the library example of the README runs and prints what it says", () => {
  const code = /```ts\n([\s\S]*?)```/.exec(README)?.[1] ?? "";
  // Inside the workspace, so that the package resolves to what was built.
  mkdirSync(join(ROOT, "node_modules/.cache"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, "node_modules/.cache/readme-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  builtCli(["new", "notes"], folder);
  writeFileSync(join(folder, "example.mjs"), code);
  const { stdout, stderr } = spawnSync(process.execPath, ["example.mjs"], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  const lines = stdout.split("\n");
  expect(lines[0]).toBe("Writes notes. Use when: asked");
  expect(lines[1]).toBe('write description: "Writes notes. Use when: asked"');
  expect(lines.at(-2)).toMatch(/^sha256:[0-9a-f]{64}$/);
});

it("C-01 every command line of the README is understood", async () => {
  const block = /```sh\n(npx skillwright[\s\S]*?)```/.exec(README)?.[1] ?? "";
  const commands = block.trim().split("\n");
  expect(commands.length).toBeGreaterThan(5);
  const skill = "---\nname: pdf\ndescription: Reads PDFs. Use when asked.\n---\n# PDF\n";
  const cwd = temporaryFolder({
    "skills/pdf/SKILL.md": skill,
    "plugins/a/skills/pdf/SKILL.md": skill,
  });
  for (const command of commands) {
    const words = command
      .replace(/\s+#.*/, "")
      .replaceAll('"', "")
      .split(" ")
      .slice(2);
    const { exitCode, stderr } = await runCli(words, { cwd });
    expect(exitCode, `${command}\n${stderr}`).toBeLessThan(2);
  }
});
