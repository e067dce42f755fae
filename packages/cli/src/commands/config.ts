import type { Command } from "commander";
import type { GlobalOptions } from "../console.ts";
import { addHelp } from "../help/add-help.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";

const CONFIGURATION_PAGE = "docs/configuration.md";

/** `config` and what is below it. */
export function registerConfigCommands(program: Command, wrap: WrapAction): void {
  const config = program
    .command("config")
    .summary("show each option, its value and where it came from")
    .description(
      "Shows every option with its value and the file, variable or default that it comes from. The commands below make and change configuration files.",
    )
    .action(
      wrap(async (args, console) => {
        const { showConfig } = await import("../skills/config/show-config.ts");
        return showConfig(commandOf(args).optsWithGlobals<GlobalOptions>(), console);
      }),
    );
  addHelp(config, {
    examples: {
      "skillwright config": "all options",
      "skillwright config --json": "for a program",
      "skillwright config init": "make a first .agent/config.json",
      "skillwright config set execution.sandbox bubblewrap": "change one option",
    },
    exitCodes: { 0: "done", 2: "wrong usage, or a configuration that cannot be read" },
    seeAlso: [CONFIGURATION_PAGE],
  });
  registerInit(config, wrap);
  registerSet(config, wrap);
  registerUnset(config, wrap);
}

function registerInit(config: Command, wrap: WrapAction): void {
  const init = config
    .command("init")
    .summary("make a first .agent/config.json")
    .description(
      "Makes a first configuration file, with its schema beside it so that editors complete and check what is written. Never replaces one.",
    )
    .option("--user", "for all projects of this user")
    .action(
      wrap(async (args, console) => {
        const { initConfig } = await import("../skills/config/init-config.ts");
        return initConfig(commandOf(args).optsWithGlobals<GlobalOptions>(), console);
      }),
    );
  addHelp(init, {
    examples: {
      "skillwright config init": "for this project",
      "skillwright config init --user": "for all projects of this user",
    },
    exitCodes: { 0: "made", 2: "there is one already, or wrong usage" },
    seeAlso: ["skillwright init", CONFIGURATION_PAGE],
  });
}

function registerSet(config: Command, wrap: WrapAction): void {
  const set = config
    .command("set")
    .summary("set one option in the project's configuration")
    .description(
      "Sets one option and keeps comments and layout of the file. A project can only narrow what its user allows; what it may not set is refused here already.",
    )
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
  addHelp(set, {
    examples: {
      "skillwright config set skillTools.cacheSkills false": "for this project",
      "skillwright config set execution.sandbox bubblewrap --user": "for all projects",
      "skillwright config set mcpServers.docs.trust true --user": "of one server",
      "skillwright config set disabledSkills '[\"pdf-tools\"]'": "a list",
    },
    exitCodes: { 0: "set", 2: "no such option, a value it cannot have, or not a project's to set" },
    seeAlso: ["skillwright config", CONFIGURATION_PAGE],
  });
}

function registerUnset(config: Command, wrap: WrapAction): void {
  const unset = config
    .command("unset")
    .summary("remove one option from the project's configuration")
    .description(
      "Removes one option from the file, so that the user's configuration or the default counts again. Comments and layout stay.",
    )
    .argument("<option>", "such as skillTools.cacheSkills")
    .option("--user", "from the user's configuration instead")
    .action(
      wrap(async (args, console) => {
        const { unsetConfig } = await import("../skills/config/set-config.ts");
        const options = commandOf(args).optsWithGlobals<GlobalOptions>();
        return unsetConfig(args[0] as string, options, console);
      }),
    );
  addHelp(unset, {
    examples: {
      "skillwright config unset skillTools.cacheSkills": "for this project",
      "skillwright config unset execution.sandbox --user": "for all projects",
    },
    exitCodes: { 0: "removed, or it was not set", 2: "no such option, or wrong usage" },
    seeAlso: ["skillwright config", CONFIGURATION_PAGE],
  });
}
