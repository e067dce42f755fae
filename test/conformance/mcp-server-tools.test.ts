import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import type { ScriptExecutor } from "@skillwright/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { SKILLS, skillWorld, TOKEN, type World } from "./mcp-server-world.ts";

const REQUEST = { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } };

/** The client of the SDK before the extension, over HTTP. */
async function oldClient(world: World = {}, capabilities = {}) {
  const made = await skillWorld(world);
  const client = new OldClient({ name: "old", version: "1" }, { capabilities });
  await client.connect(new OldHttp(new URL(made.http.url), REQUEST));
  onTestFinished(() => client.close());
  return { ...made, client };
}

const textOf = (result: unknown) =>
  (result as { content: { text: string }[] }).content.map(({ text }) => text).join("\n");

describe("the 1.x client", () => {
  it("H-02 D-08 searches, loads and reads skills with tools", async () => {
    const { client } = await oldClient();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      "load_skill",
      "read_skill_file",
      "search_skills",
    ]);
    const found = await client.callTool({
      name: "search_skills",
      arguments: { query: "join pdf" },
    });
    expect(found.structuredContent).toMatchObject({ ok: true, results: [{ name: "pdf" }] });
    const loaded = await client.callTool({ name: "load_skill", arguments: { skill_name: "pdf" } });
    expect(textOf(loaded)).toContain("# Goal of pdf");
    const input = { skill_name: "pdf", file_path: "references/guide.md" };
    const read = await client.callTool({ name: "read_skill_file", arguments: input });
    expect(read.structuredContent).toMatchObject({ ok: true, text: "# Guide\nFirst pages.\n" });
  });

  it("H-02 D-04 gets the instructions each time: another conversation may ask", async () => {
    const { client } = await oldClient();
    const call = () => client.callTool({ name: "load_skill", arguments: { skill_name: "pdf" } });
    expect(textOf(await call())).toBe(textOf(await call()));
  });

  it("T-08 H-02 failures are results, and go to the log", async () => {
    const { client } = await oldClient();
    const logged = new Promise((resolve) => {
      client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) =>
        resolve(params),
      );
    });
    const result = await client.callTool({ name: "load_skill", arguments: { skill_name: "pfd" } });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { ok: false, code: "skill-not-found", candidates: ["pdf"] },
    });
    expect(await logged).toMatchObject({ level: "warning", data: { code: "skill-not-found" } });
    const wrong = await client.callTool({ name: "load_skill", arguments: { nothing: 1 } });
    expect(wrong.isError).toBe(true);
    await expect(client.callTool({ name: "no_such_tool" })).rejects.toThrow(/no tool/);
  });

  it("H-02 reads resources", async () => {
    const { client } = await oldClient();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "skill://csv/SKILL.md",
      "skill://pdf/SKILL.md",
    ]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: "skill://{+path}" }]);
    const { contents } = await client.readResource({ uri: "skill://pdf/references/guide.md" });
    expect(contents).toMatchObject([
      { mimeType: "text/markdown", text: "# Guide\nFirst pages.\n" },
    ]);
    await expect(client.readResource({ uri: "skill://pdf/none.md" })).rejects.toThrow(/not found/i);
  });

  it("D-02 H-02 gets skills as prompts with their arguments, also those kept from models", async () => {
    const more = "disable-model-invocation: true\narguments: issue branch\n";
    const files = {
      ...SKILLS,
      "deploy/SKILL.md": `${skillText("deploy", "Deploys. Use to deploy.", more)}Take $issue to $branch.\n`,
      "deploy/notes.md": "only then\n",
      "quiet/SKILL.md": skillText("quiet", "Helps. Use it.", "user-invocable: false\n"),
    };
    const { client } = await oldClient({ files });
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["csv", "deploy", "pdf"]);
    expect(prompts[1]?.arguments?.map(({ name }) => name)).toEqual(["issue", "branch"]);
    const read = () =>
      client.callTool({
        name: "read_skill_file",
        arguments: { skill_name: "deploy", file_path: "notes.md" },
      });
    expect(await read()).toMatchObject({ isError: true });
    const { messages } = await client.getPrompt({
      name: "deploy",
      arguments: { issue: "the first one", branch: "main" },
    });
    expect(JSON.stringify(messages)).toContain("Take the first one to main.");
    expect(await read()).toMatchObject({ structuredContent: { text: "only then\n" } });
    await expect(client.getPrompt({ name: "quiet" })).rejects.toThrow(/no prompt/);
  });
});

/** Runs nothing, and says what it was asked for. */
function fakeExecutor(run: ScriptExecutor["run"]): ScriptExecutor {
  return { canRun: (path) => path.endsWith(".mjs"), run };
}

const CALL = {
  name: "run_skill_script",
  arguments: { skill_name: "pdf", script_file: "join.mjs", args: ["a"] },
};

describe("scripts", () => {
  it("H-02 X-01 are offered when there is something to run them with", async () => {
    const executor = fakeExecutor(async ({ script, args }) => ({
      ok: true,
      text: `${script} ${args.join()}`,
    }));
    const { client } = await oldClient({ executor });
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("run_skill_script");
    const result = await client.callTool(CALL);
    expect(result.structuredContent).toMatchObject({ ok: true, text: "scripts/join.mjs a" });
  });

  it("H-02 X-01 a canceled call ends the script, and the session goes on", async () => {
    let end: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let begin: () => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const executor = fakeExecutor((_, { signal }) => {
      begin();
      return new Promise((resolve) => {
        signal?.addEventListener("abort", () => {
          end();
          resolve({ ok: false, text: "canceled" });
        });
      });
    });
    const { client } = await oldClient({ executor });
    const controller = new AbortController();
    const outcome = client.callTool(CALL, undefined, { signal: controller.signal }).then(
      () => "answered",
      () => "canceled",
    );
    await begun;
    controller.abort();
    await ended;
    expect(await outcome).toBe("canceled");
    expect((await client.listTools()).tools).not.toEqual([]);
  });

  it("H-02 a client that goes away ends its script", async () => {
    let begin: () => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let end: (how: string) => void;
    const ended = new Promise<string>((resolve) => (end = resolve));
    const executor = fakeExecutor((_, { signal }) => {
      begin();
      return new Promise(() => signal?.addEventListener("abort", () => end("aborted")));
    });
    const { client } = await oldClient({ executor });
    client.callTool(CALL).catch(() => undefined);
    await begun;
    await client.close();
    expect(await ended).toBe("aborted");
  });

  it("H-02 progress is told to who asks", async () => {
    const executor = fakeExecutor(async () => ({ ok: true, text: "done" }));
    const { client } = await oldClient({ executor });
    const seen: unknown[] = [];
    const onprogress = (progress: unknown) => seen.push(progress);
    await client.callTool(CALL, undefined, { onprogress });
    expect(seen).toEqual([
      expect.objectContaining({ progress: 0, message: "the script runs, 0 s" }),
    ]);
  });
});
