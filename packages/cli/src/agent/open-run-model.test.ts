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
