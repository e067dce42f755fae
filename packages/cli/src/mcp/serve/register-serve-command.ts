import type { Command } from "commander";
import { commandOf } from "../../commands/command-of.ts";
import type { WrapAction } from "../../commands/command-runner.ts";
import { collect, optionWithValues } from "../../commands/option-with-values.ts";
import { addTrustOption } from "../../skills/trust/add-trust-option.ts";
import type { ServeOptions } from "./serve-options.ts";

const SANDBOXES = ["auto", "bubblewrap", "sandbox-runtime", "none"];

/** `mcp` alone: the server. */
export function registerServeCommand(program: Command, wrap: WrapAction): Command {
  return addTrustOption(
    program
      .command("mcp")
      .summary("serve the skills to MCP clients")
      .description(
        "Serves the skills that a model may see over the Model Context Protocol: on stdin and stdout, for " +
          "a client that starts it, or with --http for clients that connect. Clients that know the skills " +
          "extension list and read skills themselves; all others get tools. Scripts run under the same " +
          "policy, approvals and sandbox as in a run; the person at the client is asked where the client can ask.",
      )
      .option("--http", "over HTTP instead, on this machine; each request needs the token")
      .option("--port <number>", "of --http; default: one that is free")
      .option("--host <address>", "of --http; default: 127.0.0.1")
      .option("--allow-remote", "let --host be an address that other machines reach")
      .option("--allow-host <name...>", "names by which clients may call it, besides addresses")
      .option(
        "--yes [tools]",
        "approve calls of these tools, such as run_script; repeatable",
        collect,
      )
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
      const { serveCommand } = await import("./serve-command.ts");
      return serveCommand(commandOf(args).optsWithGlobals<ServeOptions>(), console);
    }),
  );
}
