import type { Command } from "commander";
import { commandOf } from "../commands/command-of.ts";
import type { WrapAction } from "../commands/command-runner.ts";
import { optionWithValues } from "../commands/option-with-values.ts";
import type { GlobalOptions } from "../console.ts";
import { addHelp } from "../help/add-help.ts";
import type { InstallOptions } from "./install/install-command.ts";

const PAGE = "docs/mcp.md";

/** `mcp install` and `mcp check`, below the command `mcp`. */
export function registerHostCommands(mcp: Command, wrap: WrapAction): void {
  registerInstall(mcp, wrap);
  registerCheck(mcp, wrap);
}

function registerInstall(mcp: Command, wrap: WrapAction): void {
  const install = mcp
    .command("install")
    .summary("write the entry for this server into a client's settings")
    .description(
      "Writes the entry that starts `skillwright mcp` into the settings of an MCP client, after showing " +
        "what changes. Everything else in the file stays as it is, and a copy of it is kept.",
    )
    .argument("<client>", "claude-code, claude-desktop, codex, cursor or vscode")
    .argument("[args...]", "for skillwright mcp, behind --")
    .addOption(
      optionWithValues("--scope <scope>", "whose settings; default: as the client is used", [
        "project",
        "user",
      ]),
    )
    .option("--name <name>", "what the client calls the server; default: skillwright")
    .option("--yes", "write without asking")
    .option("--dry-run", "show what would change, and write nothing")
    .action(
      wrap(async (args, console) => {
        const { installCommand } = await import("./install/install-command.ts");
        const options = commandOf(args).optsWithGlobals<InstallOptions>();
        return installCommand(args[0] as string, args[1] as readonly string[], options, console);
      }),
    );
  addHelp(install, {
    examples: {
      "skillwright mcp install claude-code": "for you, in all projects",
      "skillwright mcp install vscode --dry-run": "what would be written into this project",
      "skillwright mcp install cursor --yes -- --no-scripts": "only to read, without asking",
    },
    exitCodes: {
      0: "written, or there already",
      1: "the file cannot be changed without a loss",
      2: "wrong usage",
      3: "not confirmed",
    },
    seeAlso: ["skillwright mcp", "skillwright mcp check", PAGE],
  });
}

function registerCheck(mcp: Command, wrap: WrapAction): void {
  const check = mcp
    .command("check")
    .summary("connect to this server and to those you configured")
    .description(
      "Starts `skillwright mcp` as a client would, connects to every server in mcpServers of your " +
        "configuration, and says what each of them has or why it does not answer.",
    )
    .action(
      wrap(async (args, console) => {
        const { checkCommand } = await import("./check/check-command.ts");
        return checkCommand(commandOf(args).optsWithGlobals<GlobalOptions>(), console);
      }),
    );
  addHelp(check, {
    examples: {
      "skillwright mcp check": "all of them",
      "skillwright mcp check --json": "for a program",
    },
    exitCodes: { 0: "all answer", 1: "some do not", 2: "wrong configuration" },
    seeAlso: ["skillwright mcp", "skillwright config", PAGE],
  });
}
