import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const read = (path: string) =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
const SKILLS = join(import.meta.dirname, "../../../../skills");
const COMMANDS = [...read("docs/agent.md").matchAll(/^skillwright run "([^"]+)" (--\S+)/gm)];

it.each(COMMANDS.map(([, request = "", flag = ""]) => [request, flag]))(
  "M-02 docs/agent.md: the embedded model answers %j",
  async (request, flag) => {
    const folder = temporaryFolder({ "p/sales.csv": "region,amount\nNorth,3\nSouth,4\n" });
    const { exitCode, stdout } = await runCli(
      ["run", request, flag, "--root", SKILLS, "--trust", "--model", "offline"],
      {
        cwd: join(folder, "p"),
        env: {
          HOME: join(folder, "home"),
          XDG_STATE_HOME: join(folder, "state"),
          PATH: process.env["PATH"] ?? "",
        },
      },
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/profile\.mjs[^]*region[^]*amount/);
  },
);

it("M-02 docs/agent.md has such examples", () => {
  expect(COMMANDS.length).toBeGreaterThan(1);
});
