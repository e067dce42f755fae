import type { Command } from "commander";
import type { GlobalOptions } from "../console.ts";
import { addHelp } from "../help/add-help.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";

const TRUST_PAGE = "docs/registry.md";

/** Whom and what a person trusts and uses: `trust`, `enable`, `doctor` and their like. */
export function registerSettingsCommands(program: Command, wrap: WrapAction): void {
  registerTrust(program, wrap);
  registerUntrust(program, wrap);
  registerSwitch("enable", program, wrap);
  registerSwitch("disable", program, wrap);
  registerDoctor(program, wrap);
}

function registerTrust(program: Command, wrap: WrapAction): void {
  const trust = program
    .command("trust")
    .summary("trust this project's folder, or one skill as it is now")
    .description(
      "Trusts the folder of this project, so that its skills are offered to models and its configuration is read; or one skill, until its content changes. Look at them first: skillwright scan.",
    )
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
  addHelp(trust, {
    examples: {
      "skillwright trust": "this project's folder",
      "skillwright trust pdf-tools": "one skill, as it is now",
      "skillwright trust pdf@mcp:docs": "one skill of an MCP server, as it is now",
      "skillwright trust --list": "what is trusted so far",
    },
    exitCodes: {
      0: "trusted",
      1: "there is no such skill, or it is not what its server lists",
      2: "wrong usage or configuration",
    },
    seeAlso: ["skillwright untrust", "skillwright scan", TRUST_PAGE],
  });
}

function registerUntrust(program: Command, wrap: WrapAction): void {
  const untrust = program
    .command("untrust")
    .summary("take back the trust in this folder, or in one skill")
    .description(
      "Takes back the trust in the folder of this project, or in one skill. Works whatever its configuration says.",
    )
    .argument("[skill]", "only this skill")
    .action(
      wrap(async (args, console) => {
        const { untrustCommand } = await import("../skills/trust/trust-command.ts");
        return untrustCommand(args[0] as string | undefined, console);
      }),
    );
  addHelp(untrust, {
    examples: {
      "skillwright untrust": "this project's folder",
      "skillwright untrust pdf-tools": "one skill",
      "skillwright untrust pdf@mcp:docs": "one skill of an MCP server",
    },
    exitCodes: { 0: "no longer trusted", 1: "it was not trusted", 2: "wrong usage" },
    seeAlso: ["skillwright trust", TRUST_PAGE],
  });
}

function registerSwitch(verb: "enable" | "disable", program: Command, wrap: WrapAction): void {
  const isEnable = verb === "enable";
  const command = program
    .command(verb)
    .summary(isEnable ? "switch a skill on again" : "switch a skill off without removing it")
    .description(
      isEnable
        ? "Switches a skill on again that was switched off, everywhere or in one project."
        : "Switches a skill off: it stays on disk and is not offered to anyone, everywhere or in one project.",
    )
    .argument("<name>", "a name, or name@source")
    .option("--project", "only in this project")
    .action(
      wrap(async (args, console) => {
        const { switchCommand } = await import("../skills/switches/switch-command.ts");
        return switchCommand(
          args[0] as string,
          isEnable,
          commandOf(args).optsWithGlobals<GlobalOptions>(),
          console,
        );
      }),
    );
  addHelp(command, {
    examples: {
      [`skillwright ${verb} pdf-tools`]: "in all projects",
      [`skillwright ${verb} pdf-tools --project`]: "only in this one",
    },
    exitCodes: {
      0: "switched",
      1: isEnable ? "something else still keeps it off" : "there is no such skill",
      2: "wrong usage or configuration",
    },
    seeAlso: [`skillwright ${isEnable ? "disable" : "enable"}`, "docs/registry.md"],
  });
}

function registerDoctor(program: Command, wrap: WrapAction): void {
  const doctor = program
    .command("doctor")
    .summary("check what skills need on this machine")
    .description(
      "Checks the machine: the sandbox, the programs that skills ask for, the configuration, and the folders in which skills are looked for. Says how to fix what is missing.",
    )
    .action(
      wrap(async (args, console) => {
        const { doctorCommand } = await import("../skills/doctor/doctor-command.ts");
        return doctorCommand(commandOf(args).optsWithGlobals<GlobalOptions>(), console);
      }),
    );
  addHelp(doctor, {
    examples: {
      "skillwright doctor": "everything",
      "skillwright doctor --json": "for a bug report or a program",
    },
    exitCodes: { 0: "all is well, or only warnings", 1: "something needs fixing" },
    seeAlso: ["docs/platforms.md", "docs/runtime.md"],
  });
}
