import { join } from "node:path";
import { openSkills } from "@skillwright/core";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { mcpSkills } from "../index.ts";

describe("mcpSkills", () => {
  it("H-02 is a source like any other, and what it cannot reach is a diagnostic", async () => {
    const source = mcpSkills({
      servers: { gone: { command: "no-such-program" }, off: { command: "a", disabled: true } },
      cacheDirectory: join(temporaryFolder(), "cache"),
    });
    const skills = await openSkills({ roots: [source] });
    expect(skills.all).toEqual([]);
    expect(skills.diagnostics().map(({ code, file }) => [code, file])).toEqual([
      ["mcp-server-failed", "mcp:gone"],
    ]);
    await source.close();
  });
});
