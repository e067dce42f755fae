import type { Command } from "commander";
import { addHelp } from "../help/add-help.ts";
import { registerHostCommands } from "../mcp/register-host-commands.ts";
import { registerServeCommand } from "../mcp/serve/register-serve-command.ts";
import type { WrapAction } from "./command-runner.ts";

/** `mcp`: the skills for clients of the Model Context Protocol. */
export function registerMcpCommands(program: Command, wrap: WrapAction): void {
  const mcp = registerServeCommand(program, wrap);
  registerHostCommands(mcp, wrap);
  addHelp(mcp, {
    examples: {
      "skillwright mcp": "what a client starts",
      "skillwright mcp --http --port 7333": "for clients that connect; prints address and token",
      "skillwright mcp --root ./skills --no-scripts": "only these skills, and only to read",
    },
    exitCodes: {
      0: "the client went away, or the server was stopped",
      1: "it cannot listen there, or the record cannot be written",
      2: "wrong usage or configuration",
    },
    seeAlso: ["skillwright list", "docs/mcp.md", "docs/permissions.md"],
  });
}
