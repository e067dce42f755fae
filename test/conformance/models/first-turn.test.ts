import { Tiktoken } from "js-tiktoken/lite";
import o200k from "js-tiktoken/ranks/o200k_base";
import { describe, expect, it } from "vitest";
import { chatCompletion } from "../../support/model-server/chat-completions.ts";
import { message } from "../../support/model-server/messages.ts";
import { type RecordedRequest, startModelServer } from "../../support/model-server/model-server.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const encoder = new Tiktoken(o200k);
const tokensOf = (text: string) => encoder.encode(text).length;

/** What `run` sends in its first turn, on either wire. */
async function firstTurn(wire: "openai" | "anthropic", skills: number, ...flags: string[]) {
  const server = await startModelServer();
  server.answer(wire === "openai" ? chatCompletion({ text: "ok" }) : message({ text: "ok" }));
  const entries = Array.from({ length: skills }, (_, i) => [
    `.agents/skills/thing-${i}/SKILL.md`,
    `---\nname: thing-${i}\ndescription: Handles files of kind ${i}. ${"Use for it. ".repeat(9)}\n---\n`,
  ]);
  const cwd = temporaryFolder({ ...Object.fromEntries(entries), "home/x": "" });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: `${cwd}/home`,
    [`${wire.toUpperCase()}_API_KEY`]: "key",
    [`${wire.toUpperCase()}_BASE_URL`]: wire === "openai" ? `${server.url}/v1` : server.url,
  };
  const ran = await runCli(["run", "hi", "--trust", "--model", `${wire}:m`, ...flags], {
    cwd,
    env,
  });
  expect(ran).toMatchObject({ exitCode: 0 });
  const { system, messages, tools } = (server.requests[0] as RecordedRequest).body as {
    system?: readonly { text: string }[];
    messages: readonly { content: string }[];
    tools: readonly { name?: string; function?: { name: string } }[];
  };
  const rules = (system?.[0]?.text ?? messages[0]?.content ?? "").split("<available_skills")[0];
  const names = tools.map((tool) => tool.name ?? tool.function?.name);
  return { names, tokens: tokensOf(rules ?? "") + tokensOf(JSON.stringify(tools)) };
}

describe("the first turn", () => {
  it.each(["openai", "anthropic"] as const)(
    "A-09 rules and tools take at most 1,300 tokens of o200k_base as sent to %s, all tools offered",
    async (wire) => {
      const { names, tokens } = await firstTurn(wire, 150);
      expect(names).toContain("search_skills");
      expect(names).toContain("edit_file");
      // It names the working directory and installed libraries, so it differs by some tokens.
      expect(tokens).toBeLessThanOrEqual(1300);
      expect(tokens).toBeGreaterThan(700);
    },
  );

  it("A-09 without skills, the tools for skills are left out", async () => {
    const { names } = await firstTurn("openai", 3, "--no-skills");
    const ofSkills = ["select_skills", "load_resource", "run_script", "unload_skill"];
    expect(names.filter((name) => ofSkills.includes(name ?? ""))).toEqual([]);
    expect(names).toContain("read_file");
    expect((await firstTurn("openai", 3)).names).toEqual(expect.arrayContaining(ofSkills));
  });
});
