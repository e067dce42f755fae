import { collect } from "./option-with-values.ts";
import { type Command, Option } from "commander";
import { addHelp } from "../help/add-help.ts";
import type { InstallCommandOptions } from "../packs/install-command.ts";
import type { ScopeOptions } from "../packs/with-packs.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";
import { acceptanceOptions, parseCount, scopeOptions, targetOption } from "./pack-options.ts";

const PACKS_PAGE = "docs/packs.md";

/** How skills come and go: `install`, `update`, `uninstall`, and what takes that back. */
export function registerPackCommands(program: Command, wrap: WrapAction): void {
  registerInstall(program, wrap);
  registerUpdate(program, wrap);
  registerOutdated(program, wrap);
  registerUninstall(program, wrap);
  registerUndo(program, wrap);
  registerPrune(program, wrap);
}

function registerInstall(program: Command, wrap: WrapAction): void {
  const command = program
    .command("install")
    .alias("add")
    .summary("install skills from a folder, archive, repository or site")
    .description(
      "Installs skills: fetched into quarantine, checked, scanned, then put in place all at once. Without a source it restores what the lock says. What is refused changes nothing.\n\n" +
        "A source is a folder, a .zip, .skill or .tar.gz, owner/repo[/path][#ref][@skill], a git URL, npm:<package>[@range], an https archive, or a site with a well-known index of skills.",
    )
    .argument("[source]", "where the skills come from")
    .option("--skill <name>", "only this skill of the source (repeatable)", collect)
    .addOption(new Option("--all", "all skills of the source").conflicts("skill"))
    .addOption(
      new Option("--list", "show what the source holds, and install nothing").conflicts([
        "all",
        "skill",
        "force",
        "link",
        "frozen",
      ]),
    )
    .option("--force", "replace what is there; the old content goes to the backup")
    .option(
      "--agent <names>",
      "for these agents: claude-code,cursor,codex, …; all: every one that is found",
    )
    .option("--link", "link to a local folder instead of copying it, for development")
    .addOption(
      new Option(
        "--frozen",
        "fail on any difference from the lock, and change nothing then",
      ).conflicts("force"),
    );
  acceptanceOptions(scopeOptions(command)).action(
    wrap(async (args, console) => {
      const { installCommand } = await import("../packs/install-command.ts");
      const options = commandOf(args).optsWithGlobals<InstallCommandOptions>();
      return installCommand(args[0] as string | undefined, options, console);
    }),
  );
  addHelp(command, {
    examples: {
      "skillwright install ./pdf-tools": "a folder",
      "skillwright install acme/skills@pdf-tools": "one of a repository",
      "skillwright install ./pdf-tools --agent claude-code,cursor": "where these look",
      "skillwright install npm:@acme/skills --skill csv": "one of a package",
      "skillwright install --frozen": "what the lock says, in CI",
    },
    exitCodes: {
      0: "done",
      1: "refused",
      2: "wrong usage or configuration, or a damaged lock",
      4: "nothing is there, or a program is missing",
      130: "canceled",
    },
    seeAlso: ["skillwright verify", "skillwright undo", PACKS_PAGE],
  });
}

function registerUpdate(program: Command, wrap: WrapAction): void {
  const update = program
    .command("update")
    .summary("bring installed skills to the newest version")
    .description(
      "Fetches what the lock names again, at the branch, range or URL that was asked for. Local edits are merged; where that is not possible nothing is changed and both sides are shown.",
    )
    .argument("[names...]", "only these skills")
    .option("--force", "take the new version whatever was edited; yours goes to the backup");
  acceptanceOptions(scopeOptions(update)).action(
    wrap(async (args, console) => {
      const { updateCommand } = await import("../packs/change-commands.ts");
      const options = commandOf(args).optsWithGlobals<InstallCommandOptions>();
      return updateCommand(args[0] as string[], options, console);
    }),
  );
  addHelp(update, {
    examples: {
      "skillwright update --dry-run": "what would change",
      "skillwright update": "all that is installed",
      "skillwright update pdf-tools --force": "one, whatever was edited",
    },
    exitCodes: {
      0: "done",
      1: "refused, or edits cannot be merged",
      2: "wrong usage or configuration, or a damaged lock",
      4: "not installed, or a source does not answer",
      130: "canceled",
    },
    seeAlso: ["skillwright outdated", "skillwright undo", PACKS_PAGE],
  });
}

function registerOutdated(program: Command, wrap: WrapAction): void {
  const outdated = targetOption(
    program
      .command("outdated")
      .summary("show which installed skills have a newer version")
      .description("Asks every source of the lock for its newest version. Installs nothing.")
      .argument("[names...]", "only these skills"),
  ).action(
    wrap(async (args, console) => {
      const { outdatedCommand } = await import("../packs/change-commands.ts");
      const options = commandOf(args).optsWithGlobals<ScopeOptions>();
      return outdatedCommand(args[0] as string[], options, console);
    }),
  );
  addHelp(outdated, {
    examples: {
      "skillwright outdated": "all that is installed",
      "skillwright outdated pdf-tools --json": "one, for a program",
    },
    exitCodes: {
      0: "all are at their newest version",
      1: "one is outdated",
      2: "wrong usage, or a damaged lock",
      4: "a source does not answer",
    },
    seeAlso: ["skillwright update", PACKS_PAGE],
  });
}

function registerUninstall(program: Command, wrap: WrapAction): void {
  const uninstall = scopeOptions(
    program
      .command("uninstall")
      .alias("remove")
      .summary("remove installed skills, with a backup")
      .description("Removes skills by name. `skillwright undo` brings them back.")
      .argument("<names...>", "names, or paths as the lock has them"),
  ).action(
    wrap(async (args, console) => {
      const { uninstallCommand } = await import("../packs/change-commands.ts");
      const options = commandOf(args).optsWithGlobals<ScopeOptions>();
      return uninstallCommand(args[0] as string[], options, console);
    }),
  );
  addHelp(uninstall, {
    examples: {
      "skillwright uninstall pdf-tools": "one skill",
      "skillwright uninstall pdf-tools csv --dry-run": "what would go",
    },
    exitCodes: { 0: "done", 1: "refused", 2: "wrong usage, or a damaged lock", 4: "not installed" },
    seeAlso: ["skillwright undo", "skillwright disable", PACKS_PAGE],
  });
}

function registerUndo(program: Command, wrap: WrapAction): void {
  const undo = targetOption(
    program
      .command("undo")
      .summary("take back the last install, update or uninstall")
      .description(
        "Restores folders and lock as they were before. Again, it goes one change further back.",
      )
      .option("--force", "also when something was edited since")
      .option("--redo", "take back the last undo instead")
      .option("--list", "show the changes, and undo nothing"),
  ).action(
    wrap(async (args, console) => {
      const { undoCommand } = await import("../packs/change-commands.ts");
      return undoCommand(commandOf(args).optsWithGlobals(), console);
    }),
  );
  addHelp(undo, {
    examples: {
      "skillwright undo": "the last change",
      "skillwright undo --list": "what there is to undo",
      "skillwright undo --force": "whatever was edited since",
    },
    exitCodes: { 0: "taken back", 1: "something was edited since", 4: "nothing to take back" },
    seeAlso: ["skillwright prune", PACKS_PAGE],
  });
}

function registerPrune(program: Command, wrap: WrapAction): void {
  const prune = targetOption(
    program
      .command("prune")
      .summary("remove backups that are no longer needed")
      .description("Keeps what the last changes need to be undone, and removes the rest.")
      .option("--keep <n>", "how many changes can still be undone (default: 10)", parseCount),
  ).action(
    wrap(async (args, console) => {
      const { pruneCommand } = await import("../packs/change-commands.ts");
      return pruneCommand(commandOf(args).optsWithGlobals(), console);
    }),
  );
  addHelp(prune, {
    examples: {
      "skillwright prune": "all but the last ten",
      "skillwright prune --keep 0": "all of them",
    },
    exitCodes: { 0: "done", 2: "wrong usage" },
    seeAlso: ["skillwright undo", "skillwright runs prune", PACKS_PAGE],
  });
}
