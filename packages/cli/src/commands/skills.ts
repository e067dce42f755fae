import type { Command } from "commander";
import type { GlobalOptions } from "../console.ts";
import type { ExplainOptions } from "../skills/explain/explain-command.ts";
import type { ListCommandOptions } from "../skills/list/list-command.ts";
import type { WrapAction } from "./command-runner.ts";

/** What there is and why: `list`, `inspect`, `explain`, `trust`, `enable`, `doctor`, `config`. */
export function registerSkillCommands(program: Command, wrap: WrapAction): void {
  program
    .command("list")
    .alias("ls")
    .description("List all skills that were found.")
    .option("--all", "also shadowed and disabled ones")
    .action(
      wrap(async (args, console) => {
        const { listCommand } = await import("../skills/list/list-command.ts");
        return listCommand(commandOf(args).optsWithGlobals<ListCommandOptions>(), console);
      }),
    );
  program
    .command("inspect")
    .description("Show everything about one skill: metadata, files, tokens, tools, digest.")
    .argument("<name>", "a name, or name@source")
    .action(
      wrap(async (args, console) => {
        const { inspectCommand } = await import("../skills/inspect/inspect-command.ts");
        return inspectCommand(
          args[0] as string,
          commandOf(args).optsWithGlobals<GlobalOptions>(),
          console,
        );
      }),
    );
  program
    .command("explain")
    .description("Say why a skill is or is not there: every place, what won, who can see it.")
    .argument("<name>", "a name, or name@source")
    .option("--budget <tokens>", "whether it fits into a catalog of so many tokens")
    .action(
      wrap(async (args, console) => {
        const { explainCommand } = await import("../skills/explain/explain-command.ts");
        return explainCommand(
          args[0] as string,
          commandOf(args).optsWithGlobals<ExplainOptions>(),
          console,
        );
      }),
    );
  registerTrust(program, wrap);
  registerSwitches(program, wrap);
  program
    .command("doctor")
    .description("Check what skills need on this machine, and where they are looked for.")
    .action(
      wrap(async (args, console) => {
        const { doctorCommand } = await import("../skills/doctor/doctor-command.ts");
        return doctorCommand(commandOf(args).optsWithGlobals<GlobalOptions>(), console);
      }),
    );
  registerConfig(program, wrap);
}

function registerTrust(program: Command, wrap: WrapAction): void {
  program
    .command("trust")
    .description("Trust this project's folder, or one skill as it is now.")
    .argument("[skill]", "only this skill, until its content changes")
    .option("--list", "show all decisions")
    .action(
      wrap(async (args, console) => {
        const { trustCommand } = await import("../skills/trust/trust-command.ts");
        return trustCommand(
          args[0] as string | undefined,
          commandOf(args).optsWithGlobals<GlobalOptions>(),
          console,
        );
      }),
    );
  program
    .command("untrust")
    .description("Take back the trust in this project's folder, or in one skill.")
    .argument("[skill]", "only this skill")
    .action(
      wrap(async (args, console) => {
        const { untrustCommand } = await import("../skills/trust/trust-command.ts");
        return untrustCommand(args[0] as string | undefined, console);
      }),
    );
}

function registerSwitches(program: Command, wrap: WrapAction): void {
  for (const [verb, enabled] of [
    ["enable", true],
    ["disable", false],
  ] as const) {
    program
      .command(verb)
      .description(enabled ? "Switch a skill on again." : "Switch a skill off without removing it.")
      .argument("<name>", "a name, or name@source")
      .option("--project", "only in this project")
      .action(
        wrap(async (args, console) => {
          const { switchCommand } = await import("../skills/switches/switch-command.ts");
          return switchCommand(
            args[0] as string,
            enabled,
            commandOf(args).optsWithGlobals<GlobalOptions>(),
            console,
          );
        }),
      );
  }
}

function registerConfig(program: Command, wrap: WrapAction): void {
  const config = program
    .command("config")
    .description("Show each option, its value and where it came from.")
    .action(
      wrap(async (args, console) => {
        const { showConfig } = await import("../skills/config/show-config.ts");
        return showConfig(commandOf(args).optsWithGlobals<GlobalOptions>(), console);
      }),
    );
  config
    .command("init")
    .description("Make a first .agent/config.json.")
    .option("--user", "for all projects of this user")
    .action(
      wrap(async (args, console) => {
        const { initConfig } = await import("../skills/config/init-config.ts");
        return initConfig(commandOf(args).optsWithGlobals<GlobalOptions>(), console);
      }),
    );
  config
    .command("set")
    .description("Set one option in the project's configuration.")
    .argument("<option>", "such as skillTools.cacheSkills")
    .argument("<value>", "text or JSON")
    .option("--user", "in the user's configuration instead")
    .action(
      wrap(async (args, console) => {
        const { setConfig } = await import("../skills/config/set-config.ts");
        return setConfig(
          args[0] as string,
          args[1] as string,
          commandOf(args).optsWithGlobals<GlobalOptions>(),
          console,
        );
      }),
    );
}

/** Commander hands the command itself over as the last argument. */
function commandOf(args: readonly unknown[]): Command {
  return args.at(-1) as Command;
}
