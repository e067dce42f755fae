import { join } from "node:path";
import { expect, it } from "vitest";
import { skillText } from "../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { builtinDirectory, main } from "./index.ts";

it("R-02 R-12 is the package's own folder, never that of whoever installed it", () => {
  expect(builtinDirectory("/work/skillwright/packages/cli/dist")).toBe("/work/skillwright/skills");
  expect(builtinDirectory("/app/node_modules/skillwright/dist")).toBe(
    "/app/node_modules/skillwright/skills",
  );
});

it("R-02 R-12 built-in skills come last and are trusted", async () => {
  const builtinDirectory = temporaryFolder({
    "pdf/SKILL.md": skillText("pdf"),
    "csv/SKILL.md": skillText("csv"),
  });
  const cwd = temporaryFolder({
    ".git/HEAD": "",
    ".agent/skills/pdf/SKILL.md": skillText("pdf", "Ours. Use when asked."),
  });
  const list = async (...args: string[]) => {
    let stdout = "";
    const write = (text: string) => (stdout += text);
    const env = { HOME: join(cwd, "home") };
    const surroundings = { stdout: { write }, stderr: { write: () => true }, env, cwd };
    await main(["list", "--json", ...args], { ...surroundings, builtinDirectory });
    const { skills } = JSON.parse(stdout) as { skills: Record<string, unknown>[] };
    return skills.map(
      ({ name, source, trusted }) => `${String(name)} ${String(source)} ${String(trusted)}`,
    );
  };
  expect(await list("--source", "project")).toEqual(["pdf project false"]);
  expect((await list())[0]).toBe("pdf project false");
  expect(await list()).toContain("csv builtin true");
  expect(await list("--source", "builtin")).toEqual(["csv builtin true", "pdf builtin true"]);
  expect(await list("--root", ".agent/skills")).toEqual(["pdf project true"]);
});
