import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { skillText } from "../../../../../test/support/skill-tree.ts";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { createConsole } from "../../console.ts";
import { openSessionSkills } from "../../session-skills.ts";
import { serveCommand } from "./serve-command.ts";

vi.mock("../../session-skills.ts", { spy: true });

beforeEach(() => vi.clearAllMocks());

/** Serves a client that says nothing and goes away. */
async function serve(options: { readonly trust?: boolean; readonly scripts?: boolean }) {
  const home = temporaryFolder({
    "project/.git/HEAD": "",
    "project/.agent/skills/pdf/SKILL.md": skillText("pdf"),
  });
  let errors = "";
  const surroundings = {
    stdout: { write: () => true },
    stderr: { write: (text: string) => (errors += text) },
    stdin: () => Readable.from([]),
    env: { HOME: home },
    cwd: join(home, "project"),
  };
  const exitCode = await serveCommand(options, createConsole(surroundings, {}));
  return { exitCode, errors };
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
});
