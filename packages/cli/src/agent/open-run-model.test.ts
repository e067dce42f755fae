import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chatCompletion } from "../../../../test/support/model-server/chat-completions.ts";
import { startModelServer } from "../../../../test/support/model-server/model-server.ts";
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

it.each([
  ["temprature=0.2", /unknown model parameter "temprature"[^]*Did you mean temperature\?/],
  ["temperature", /"temperature" is not name=value/],
  ["temperature=9", /temperature must be a number from 0 to 2/],
  ["seed=1", /the Anthropic API has no seed/],
])("M-05 --model-param %s is wrong usage", async (param, problem) => {
  const folder = temporaryFolder();
  const env = { HOME: folder, XDG_STATE_HOME: folder, ANTHROPIC_API_KEY: "k" };
  const args = ["run", "x", "--model", "anthropic:m", "--model-param", param];
  const { exitCode, stderr } = await runCli(args, { cwd: folder, env });
  expect(stderr).toMatch(problem);
  expect(exitCode).toBe(2);
});

it.each(["offline", "mock:actions.json"])("M-05 %s takes no parameters", async (model) => {
  const folder = temporaryFolder({ "actions.json": '{ "actions": [] }' });
  const env = { HOME: folder, XDG_STATE_HOME: folder };
  const args = ["run", "x", "--model", model, "--model-param", "temperature=0"];
  const { exitCode, stderr } = await runCli(args, { cwd: folder, env });
  expect(stderr).toContain("takes no parameters");
  expect(exitCode).toBe(2);
});

it("M-05 --model-param goes to the model, before what the configuration says", async () => {
  const server = await startModelServer();
  server.answer(
    chatCompletion({ calls: [{ id: "1", name: "final_answer", input: { answer: "ok" } }] }),
  );
  const params = { temperature: 1, topP: 0.5, model: "m", baseUrl: `${server.url}/v1` };
  const configuration = { model: { provider: "openai-compatible", params } };
  const folder = temporaryFolder({
    "home/.config/skillwright/config.json": JSON.stringify(configuration),
  });
  const env = { HOME: join(folder, "home"), XDG_STATE_HOME: join(folder, "state") };
  const args = ["run", "x", "--model-param", "temperature=0.2", "--model-param", "seed=7"];
  await runCli(args, { cwd: folder, env });
  expect(server.requests[0]?.body).toMatchObject({ temperature: 0.2, top_p: 0.5, seed: 7 });
});
