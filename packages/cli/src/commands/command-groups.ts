import type { Command } from "commander";
import { registerRunCommand } from "./run.ts";
import { registerAuditCommands } from "./audit.ts";
import { registerAuthoringCommands } from "./authoring.ts";
import { registerChatCommand } from "./chat.ts";
import type { WrapAction } from "./command-runner.ts";
import { registerCompletionCommands } from "./completion.ts";
import { registerConfigCommands } from "./config.ts";
import { registerDisclosureCommands } from "./disclosure.ts";
import { registerEnvCommands } from "./env.ts";
import { registerEvalCommands } from "./evals.ts";
import { registerHelpCommand } from "./help.ts";
import { registerMcpCommands } from "./mcp.ts";
import { registerPackCommands } from "./packs.ts";
import { registerPublishingCommands } from "./publishing.ts";
import { registerRunsCommands } from "./runs.ts";
import { registerSettingsCommands } from "./settings.ts";
import { registerSkillCommands } from "./skills.ts";
import { registerStatsCommand } from "./stats.ts";

interface CommandGroup {
  /** Above the commands in the general help. */
  readonly heading: string;
  /** Commands and aliases for which this group is all that is needed. One left out still works. */
  readonly names: readonly string[];
  readonly register: (program: Command, wrap: WrapAction) => void;
}

const SKILLS = "Skills:";
const PACKS = "Packs:";
const SETTINGS = "Trust and settings:";

/** In the order of the general help. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    heading: SKILLS,
    names: ["list", "ls", "inspect", "explain"],
    register: registerSkillCommands,
  },
  {
    heading: SKILLS,
    names: ["search", "read", "prompt", "tools"],
    register: registerDisclosureCommands,
  },
  {
    heading: "Authoring:",
    names: ["init", "new", "lint"],
    register: registerAuthoringCommands,
  },
  { heading: "Authoring:", names: ["eval"], register: registerEvalCommands },
  { heading: "Agent:", names: ["run"], register: registerRunCommand },
  { heading: "Agent:", names: ["chat"], register: registerChatCommand },
  { heading: "Agent:", names: ["runs"], register: registerRunsCommands },
  { heading: "Agent:", names: ["stats"], register: registerStatsCommand },
  { heading: "Agent:", names: ["audit"], register: registerAuditCommands },
  { heading: "Agent:", names: ["mcp"], register: registerMcpCommands },
  {
    heading: PACKS,
    names: ["install", "add", "update", "outdated", "uninstall", "remove", "undo", "prune"],
    register: registerPackCommands,
  },
  {
    heading: PACKS,
    names: ["verify", "scan", "pack", "sign"],
    register: registerPublishingCommands,
  },
  { heading: SETTINGS, names: ["env"], register: registerEnvCommands },
  {
    heading: SETTINGS,
    names: ["trust", "untrust", "enable", "disable", "doctor"],
    register: registerSettingsCommands,
  },
  { heading: SETTINGS, names: ["config"], register: registerConfigCommands },
  // Its names are not given: completing needs all commands.
  { heading: SETTINGS, names: [], register: registerCompletionCommands },
  { heading: SETTINGS, names: [], register: registerHelpCommand },
];

/** Registers what a command line needs: the group of its command, or all of them. */
export function registerCommands(
  program: Command,
  wrap: WrapAction,
  argv: readonly string[] = [],
): void {
  const [first = ""] = argv;
  const group = COMMAND_GROUPS.find(({ names }) => names.includes(first));
  for (const { heading, register } of group === undefined ? COMMAND_GROUPS : [group]) {
    program.commandsGroup(heading);
    register(program, wrap);
  }
}
