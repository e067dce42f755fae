import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";

describe("examples of MCP clients", () => {
  it.each(["mcp-ai-sdk", "mcp-langchain"])("H-02 %s follows a skill that we serve", (folder) => {
    const main = fileURLToPath(new URL(`../../examples/${folder}/main.mjs`, import.meta.url));
    const { PATH } = process.env;
    const env = { PATH, HOME: temporaryFolder() };
    const { status, stdout, stderr } = spawnSync(process.execPath, [main], {
      env,
      encoding: "utf8",
    });
    expect([status, stdout.trim().split("\n"), stderr]).toEqual([
      0,
      [
        'load_skill {"skill_name":"release-notes"}',
        "As the skill says: Start every entry with a verb in the past tense.",
      ],
      expect.any(String),
    ]);
  });
});
