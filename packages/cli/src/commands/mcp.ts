import type { Command } from "commander";
import { addHelp } from "../help/add-help.ts";
import { registerHostCommands } from "../mcp/register-host-commands.ts";
import type { ServeOptions } from "../mcp/serve/serve-options.ts";
import { addTrustOption } from "../skills/trust/add-trust-option.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";
import { optionWithValues } from "./option-with-values.ts";

const SANDBOXES = ["auto", "bubblewrap", "sandbox-runtime", "none"];

/** `mcp`: the skills for clients of the Model Context Protocol. */
export function registerMcpCommands(program: Command, wrap: WrapAction): void {
  const mcp = addTrustOption(
    program
      .command("mcp")
      .summary("serve the skills to MCP clients")
      .description(
        "Serves the skills that a model may see over the Model Context Protocol: on stdin and stdout, for " +
          "a client that starts it, or with --http for clients that connect. Clients that know the skills " +
          "extension list and read skills themselves; all others get tools. Scripts run under the same " +
          "policy, approvals and sandbox as in a run; whoever is at the client is asked where it can ask.",
      )
      .option("--http", "over HTTP instead, on this machine; each request needs the token")
      .option("--port <number>", "of --http; default: one that is free")
      .option("--host <address>", "of --http; default: 127.0.0.1")
      .option("--allow-remote", "let --host be an address that other machines reach")
      .option("--allow-host <name...>", "names by which clients may call it, besides addresses")
      .option("--yes [tools]", "approve calls of these tools, such as run_script")
      .addOption(
        optionWithValues(
          "--sandbox <sandbox>",
          "what scripts run in; none is without one",
          SANDBOXES,
        ),
      )
      .option("--no-scripts", "offer no scripts at all"),
  ).action(
    wrap(async (args, console) => {
      const { serveCommand } = await import("../mcp/serve/serve-command.ts");
      return serveCommand(commandOf(args).optsWithGlobals<ServeOptions>(), console);
    }),
  );
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
