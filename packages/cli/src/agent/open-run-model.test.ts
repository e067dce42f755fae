import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../../../../test/support/run-cli.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

const MODELS = new URL("../../../../docs/models.md", import.meta.url);

it("M-02 the mock files of docs/models.md work as they stand there", async () => {
  const blocks = [...readFileSync(MODELS, "utf8").matchAll(/```json\n([^]*?)```/g)];
  const [actions = "", rules = ""] = blocks.map(([, text = ""]) => text);
  const folder = temporaryFolder({ "p/actions.json": actions, "p/rules.json": rules });
  const env = { HOME: join(folder, "home"), XDG_STATE_HOME: join(folder, "state") };
  const answer = async (file: string) => {
    const args = ["run", "join a.pdf", "--model", `mock:${file}`];
    const { exitCode, stdout } = await runCli(args, { cwd: join(folder, "p"), env });
    return { exitCode, stdout };
  };
  expect(await answer("actions.json")).toEqual({ exitCode: 0, stdout: "done\n" });
  expect(await answer("rules.json")).toEqual({ exitCode: 0, stdout: "it did not work\n" });
});

it("M-02 what is wrong with a mock file is said of what it was meant to be", async () => {
  const folder = temporaryFolder({
    "rules.json": '{ "rules": [{ "pattern": "x", "steps": [] }] }',
    "actions.json": '{ "actions": {} }',
    "neither.json": "{}",
  });
  const env = { HOME: join(folder, "home"), XDG_STATE_HOME: join(folder, "state") };
  const problem = async (file: string) => {
    const { exitCode, stderr } = await runCli(["run", "x", "--model", `mock:${file}`], {
      cwd: folder,
      env,
    });
    expect(exitCode).toBe(2);
    return stderr;
  };
  expect(await problem("rules.json")).toMatch(/at rules\[0\]\.steps/);
  expect(await problem("actions.json")).toMatch(/at actions/);
  expect(await problem("neither.json")).toMatch(/at actions/);
});
