import { InMemoryTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldHttp } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { ScriptExecutor } from "@skillwright/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { skillText } from "../support/skill-tree.ts";
import { beginSession, post, SKILLS, skillWorld, TOKEN, type World } from "./mcp-server-world.ts";

const REQUEST = { requestInit: { headers: { authorization: `Bearer ${TOKEN}` } } };

async function oldClient(world: World = {}) {
  const { http } = await skillWorld(world);
  const client = new OldClient({ name: "old", version: "1" });
  await client.connect(new OldHttp(new URL(http.url), REQUEST));
  onTestFinished(() => client.close());
  return client;
}

const executor: ScriptExecutor = {
  canRun: (path) => path.endsWith(".mjs"),
  run: async ({ script }) => ({ ok: true, text: `ran ${script}` }),
};

describe("secret files of a skill", () => {
  const secrets = { "pdf/.env": "A=b", "pdf/scripts/.env.mjs": "a", "pdf/scripts/deploy.key": "a" };
  const answers = async (files: World["files"], name: string, input: Record<string, string>) => {
    const client = await oldClient({ executor, ...(files && { files }) });
    return client.callTool({ name, arguments: { skill_name: "pdf", ...input } });
  };

  it.each([
    "scripts/.env.mjs",
    ".env.mjs",
    "./scripts/.env.mjs",
    "scripts/deploy.key",
    "deploy.key",
    "scripts/nope.key",
    "none.mjs",
  ])("H-02 X-02 %s is no script, whether it is there or not", async (script_file) => {
    const found = await answers({ ...SKILLS, ...secrets }, "run_skill_script", { script_file });
    expect(found).toEqual(await answers(SKILLS, "run_skill_script", { script_file }));
    expect(found.structuredContent).toMatchObject({
      code: "script-not-found",
      candidates: ["scripts/join.mjs"],
    });
  });

  it.each([".en", "env", "zzzzzzzz.md"])("H-02 D-10 %s names none of them", async (file_path) => {
    const found = await answers({ ...SKILLS, ...secrets }, "read_skill_file", { file_path });
    expect(found).toEqual(await answers(SKILLS, "read_skill_file", { file_path }));
    expect(found.structuredContent).toMatchObject({ hint: expect.stringContaining("load_skill") });
    expect(found.structuredContent).not.toHaveProperty("candidates");
  });

  it("H-02 D-10 load_skill names the files, as the hint says", async () => {
    const found = await answers({ ...SKILLS, ...secrets }, "load_skill", {});
    const said = JSON.stringify(found.content);
    expect(said).toContain("references/guide.md");
    expect(said).not.toMatch(/\.env|deploy\.key/);
  });
});

describe("large skills", () => {
  it.each([601, 2100])("H-02 one with %i files is a resource, too", async (count) => {
    const names = Array.from({ length: count }, (_, index) => `pdf/A${index}.md`);
    const files = { ...SKILLS, ...Object.fromEntries(names.map((name) => [name, "text\n"])) };
    const client = await oldClient({ files });
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("skill://pdf/SKILL.md");
    const { contents } = await client.readResource({ uri: "skill://pdf/SKILL.md" });
    expect(contents).toMatchObject([{ text: SKILLS["pdf/SKILL.md"] }]);
  });
});

describe("prompts", () => {
  it.each(['print("it\'s")', 'say "it\'s" twice', '"it\'s"\nnow', "C:\\a b\\", "‘it’s’ ok"])(
    "D-02 H-02 hand %j over as it is",
    async (code) => {
      const more = "arguments: code branch\n";
      const skill = `${skillText("fix", "Mends. Use to mend.", more)}Mend [$code] on [$branch].\n`;
      const client = await oldClient({ files: { "fix/SKILL.md": skill } });
      const { messages } = await client.getPrompt({
        name: "fix",
        arguments: { code, branch: "main" },
      });
      const text = expect.stringContaining(`Mend [${code}] on [main].`);
      expect(messages).toMatchObject([{ content: { text } }]);
    },
  );
});

describe("wrong parameters", () => {
  it.each([
    ["resources/read", { uri: 5 }, "uri"],
    ["resources/list", { cursor: 5 }, "cursor"],
    ["tools/call", { name: 5 }, "name"],
    ["prompts/get", { name: 5 }, "name"],
    ["skills/get", {}, "uri"],
  ])("H-02 of %s %o are said in a sentence", async (method, params, field) => {
    const { http } = await skillWorld();
    const session = await beginSession(http.url);
    const message = { jsonrpc: "2.0", id: 2, method, params };
    const response = await post(http.url, message, { "mcp-session-id": session });
    const { error } = (await response.json()) as { error: { code: number; message: string } };
    expect(error.code).toBe(-32_602);
    expect(error.message).toContain(field);
    expect(error.message).not.toMatch(/[[{\n]/);
  });

  it.each([{}, { protocolVersion: "2025-11-25" }, { protocolVersion: 5 }, undefined])(
    "H-02 of initialize %o are said in a sentence",
    async (params) => {
      const { server } = await skillWorld();
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has only this
      const answered = new Promise<unknown>((resolve) => (theirs.onmessage = resolve));
      await server.connect(ours);
      await theirs.send({ jsonrpc: "2.0", id: 1, method: "initialize", ...(params && { params }) });
      expect(await answered).toMatchObject({
        error: {
          code: -32_602,
          message: expect.stringMatching(/^the parameters of initialize are wrong: [^[{\n]+$/),
        },
      });
    },
  );
});
