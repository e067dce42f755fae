import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { skillText } from "../../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createConsole } from "../../console.ts";
import { openSessionSkills } from "@skillwright/app/internal";
import { serveCommand } from "./serve-command.ts";
import type { ServeOptions } from "./serve-options.ts";

vi.mock("@skillwright/app/internal", { spy: true });

beforeEach(() => vi.clearAllMocks());

/** Serves a client that says nothing and goes away. */
async function serve(options: ServeOptions, files: Readonly<Record<string, string>> = {}) {
  const home = temporaryFolder({
    ...files,
    "project/.git/HEAD": "",
    "project/.agent/skills/pdf/SKILL.md": skillText("pdf"),
  });
  let errors = "";
  let printed = "";
  const surroundings = {
    stdout: { write: (text: string) => (printed += text) },
    stderr: { write: (text: string) => (errors += text) },
    stdin: () => Readable.from([]),
    env: { HOME: home },
    cwd: join(home, "project"),
  };
  const exitCode = await serveCommand(options, createConsole(surroundings, {}));
  return { exitCode, errors, printed };
}

describe("skillwright mcp", () => {
  it.each([{ trust: true }, { scripts: false }])(
    "H-02 opens its skills once at its start (%o)",
    async (options) => {
      const { exitCode, errors } = await serve(options);
      expect(exitCode).toBe(0);
      expect(errors.includes("skillwright trust")).toBe(options.trust !== true);
      expect(openSessionSkills).toHaveBeenCalledTimes(1);
    },
  );

  it("H-02 R-05 says at its start which root is not there, and not where the protocol is", async () => {
    const { exitCode, errors, printed } = await serve({ root: ["/nowhere/typo"] });
    expect({ exitCode, printed }).toEqual({ exitCode: 0, printed: "" });
    expect(errors).toMatch(/^warning: \/nowhere\/typo: /m);
  });

  it("H-02 R-05 says at its start which skills cannot be used, and why", async () => {
    const files = { "project/.agent/skills/broken/SKILL.md": "no frontmatter\n" };
    const { errors, printed } = await serve({ trust: true }, files);
    expect(printed).toBe("");
    expect(errors).toMatch(/^warning: \/.+\/project\/\.agent\/skills\/broken\/SKILL\.md:1: .+/m);
    expect(errors).not.toContain("skills/pdf");
  });
});
