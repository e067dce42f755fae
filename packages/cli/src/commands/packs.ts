import { type Command, InvalidArgumentError, Option } from "commander";
import type { InstallCommandOptions } from "../packs/install-command.ts";
import type { PackCommandOptions, SignCommandOptions } from "../packs/publish-commands.ts";
import type { ScanCommandOptions } from "../packs/scan-command.ts";
import type { VerifyCommandOptions } from "../packs/verify-pack-file.ts";
import type { ScopeOptions } from "../packs/with-packs.ts";
import type { WrapAction } from "./command-runner.ts";

/** How skills travel: `install`, `update`, `verify`, `pack`, `sign`, `scan` and what undoes them. */
export function registerPackCommands(program: Command, wrap: WrapAction): void {
  registerInstall(program, wrap);
  registerChanges(program, wrap);
  registerVerify(program, wrap);
  registerPublishing(program, wrap);
}

function registerInstall(program: Command, wrap: WrapAction): void {
  const command = program
    .command("install")
    .alias("add")
    .summary("install skills from a folder, archive, repository, package or site")
    .description(
      "Installs skills: fetched into quarantine, checked, scanned, then put in place all at once.\n" +
        "Without a source it restores what the lock says.\n\n" +
        "A source is a folder, a .zip, .skill or .tar.gz, owner/repo[/path][#ref][@skill], a git URL,\n" +
        "npm:<package>[@range], an https archive, or a site with a well-known index of skills.",
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
    .option("--force", "replace what stands there; it goes to the backup")
    .option("--link", "link to a local folder instead of copying it, for development")
    .addOption(
      new Option(
        "--frozen",
        "fail on any difference from the lock, and change nothing then",
      ).conflicts("force"),
    );
  acceptanceOptions(scopeOptions(command))
    .addHelpText(
      "after",
      `
Examples:
  skillwright install ./pdf-tools                     a folder
  skillwright install acme/skills@pdf-tools           one skill of a repository on GitHub
  skillwright install acme/skills#v2 --all            all skills of a tag
  skillwright install npm:@acme/skills --skill csv    one of a package
  skillwright install skills.zip --key author.pub     a signed pack
  skillwright install                                 what .agent/skills.lock.json says
  skillwright install --frozen                        the same in CI

Exit codes: 0 done, 1 refused, 2 wrong usage, configuration or a damaged lock, 4 nothing is there or a program
is missing, 130 canceled. What is refused changes nothing.`,
    )
    .action(
      wrap(async ([source, , self], console) => {
        const { installCommand } = await import("../packs/install-command.ts");
        const options = (self as Command).optsWithGlobals<InstallCommandOptions>();
        return installCommand(source as string | undefined, options, console);
      }),
    );
}

function registerChanges(program: Command, wrap: WrapAction): void {
  const update = program
    .command("update")
    .summary("bring installed skills to the newest version of their source")
    .description(
      "Fetches what the lock names again, at the branch, range or URL that was asked for. Local edits\n" +
        "are merged; where that is not possible nothing is changed and both sides are shown.",
    )
    .argument("[names...]", "only these skills")
    .option("--force", "take the new version whatever was edited; yours goes to the backup");
  acceptanceOptions(scopeOptions(update)).action(
    wrap(async ([names, , self], console) => {
      const { updateCommand } = await import("../packs/change-commands.ts");
      const options = (self as Command).optsWithGlobals<InstallCommandOptions>();
      return updateCommand(names as string[], options, console);
    }),
  );
  targetOption(
    program
      .command("outdated")
      .summary("show which installed skills have a newer version")
      .description(
        "Asks every source of the lock. Installs nothing. Exit 1 when one is outdated, 4 when a source\n" +
          "does not answer.",
      )
      .argument("[names...]", "only these skills"),
  ).action(
    wrap(async ([names, , self], console) => {
      const { outdatedCommand } = await import("../packs/change-commands.ts");
      const options = (self as Command).optsWithGlobals<ScopeOptions>();
      return outdatedCommand(names as string[], options, console);
    }),
  );
  scopeOptions(
    program
      .command("uninstall")
      .alias("remove")
      .summary("remove installed skills, with a backup")
      .description("Removes skills by name. `skillwright undo` brings them back.")
      .argument("<names...>", "names, or paths as the lock has them"),
  ).action(
    wrap(async ([names, , self], console) => {
      const { uninstallCommand } = await import("../packs/change-commands.ts");
      const options = (self as Command).optsWithGlobals<ScopeOptions>();
      return uninstallCommand(names as string[], options, console);
    }),
  );
  targetOption(
    program
      .command("undo")
      .summary("take back the last install, update or uninstall")
      .description("Restores folders and lock as they were before. Undoing that does it again.")
      .option("--force", "also when something was edited since"),
  ).action(
    wrap(async ([, self], console) => {
      const { undoCommand } = await import("../packs/change-commands.ts");
      return undoCommand((self as Command).optsWithGlobals(), console);
    }),
  );
  targetOption(
    program
      .command("prune")
      .summary("remove backups that are no longer needed")
      .description("Keeps what the last changes need to be undone, and removes the rest.")
      .option("--keep <n>", "how many changes can still be undone (default: 10)", parseCount),
  ).action(
    wrap(async ([, self], console) => {
      const { pruneCommand } = await import("../packs/change-commands.ts");
      return pruneCommand((self as Command).optsWithGlobals(), console);
    }),
  );
}

function registerVerify(program: Command, wrap: WrapAction): void {
  targetOption(
    program
      .command("verify")
      .summary("compare installed skills with the lock, or a pack with its signature")
      .description(
        "Hashes every file of installed skills and says ok, modified, missing or extra. With the file\n" +
          "of a pack it checks the manifest and the signature beside it.",
      )
      .argument("[what...]", "names of installed skills, or one pack")
      .option(
        "--key <key>",
        "a key the pack must be signed with: a file or a line (repeatable)",
        collect,
      )
      .option("--signature <file>", "the signature (default: <pack>.sig)")
      .option("--identity <name>", "who must have signed <pack>.sigstore.json")
      .option("--issuer <url>", "who vouches for that identity")
      .option("--trusted-root <file>", "the keys of Sigstore's logs, a trusted_root.json"),
  )
    .addHelpText(
      "after",
      `
Examples:
  skillwright verify                              everything that is installed
  skillwright verify pdf-tools                    one skill
  skillwright verify skills.zip --key author.pub  a pack and who signed it

Exit codes: 0 all is as it should be, 1 something differs, 2 wrong usage, 4 nothing is installed.`,
    )
    .action(
      wrap(async ([words, , self], console) => {
        const { verifyCommand } = await import("../packs/verify-command.ts");
        const options = (self as Command).optsWithGlobals<VerifyCommandOptions>();
        return verifyCommand(words as string[], options, console);
      }),
    );
  program
    .command("scan")
    .summary("look for what a person should see before using a skill")
    .description(
      "Looks through texts and scripts for prompt injection, exfiltration, obfuscated or remote code,\n" +
        "persistence, destruction and over-reach. Findings, not verdicts.",
    )
    .argument("[paths...]", "skills or folders of skills; without one the project's own")
    .addOption(severityOption("fail from this severity on (default: high)"))
    .addOption(new Option("--format <format>", "how to print").choices(["human", "json", "sarif"]))
    .option("--rules", "list the rules")
    .addHelpText(
      "after",
      `
Examples:
  skillwright scan ./downloaded-skill
  skillwright scan --fail-on medium --format sarif > findings.sarif

Exit codes: 0 nothing from that severity on, 1 findings, 2 wrong usage, 4 nothing to scan.
--rules --verbose explains every rule, as does docs/scan-rules.md.`,
    )
    .action(
      wrap(async ([paths, , self], console) => {
        const { scanCommand } = await import("../packs/scan-command.ts");
        const options = (self as Command).optsWithGlobals<ScanCommandOptions>();
        return scanCommand(paths as string[], options, console);
      }),
    );
}

function registerPublishing(program: Command, wrap: WrapAction): void {
  program
    .command("pack")
    .summary("make an archive of skills, the same bytes from the same content")
    .description(
      "Packs skills into one archive with a manifest of hashes, or writes the files that a static host\n" +
        "serves as a well-known index. Skills with errors, links or secrets are refused.",
    )
    .argument("[paths...]", "skills or folders of skills; without one the project's own")
    .option("-o, --output <file>", "the archive, or the folder of the site")
    .addOption(
      new Option("--format <format>", "what to make (default: by the name of the output)").choices([
        "zip",
        "tar.gz",
        "well-known",
      ]),
    )
    .addOption(
      new Option(
        "--layout <layout>",
        "pack: folders and a manifest; folders: without it; root: one skill",
      ).choices(["pack", "folders", "root"]),
    )
    .option("--base-url <url>", "where the site is served, for absolute addresses")
    .option("--strict", "refuse what the linter warns about")
    .option("--allow-secrets", "pack files that look like secrets")
    .option("--force", "replace an output that has other content")
    .addHelpText(
      "after",
      `
Examples:
  skillwright pack skills/pdf-tools                        pdf-tools.zip
  skillwright pack skills -o skills.tar.gz                 all skills of a folder
  skillwright pack skills --format well-known -o public    a site others install from`,
    )
    .action(
      wrap(async ([paths, , self], console) => {
        const { packCommand } = await import("../packs/publish-commands.ts");
        const options = (self as Command).optsWithGlobals<PackCommandOptions>();
        return packCommand(paths as string[], options, console);
      }),
    );
  program
    .command("sign")
    .summary("sign a pack with an Ed25519 key")
    .description(
      "Writes <pack>.sig over the pack's manifest, in the format of `ssh-keygen -Y sign`. The key is an\n" +
        "OpenSSH or PEM private key, or the .pub of one that the SSH agent holds.",
    )
    .argument("<pack>", "the archive")
    .requiredOption("--key <file>", "the key to sign with")
    .option("-o, --output <file>", "the signature (default: <pack>.sig)")
    .option("--force", "replace a signature by another key")
    .action(
      wrap(async ([pack, , self], console) => {
        const { signCommand } = await import("../packs/publish-commands.ts");
        const options = (self as Command).optsWithGlobals<SignCommandOptions>();
        return signCommand(pack as string, options, console);
      }),
    );
}

function targetOption(command: Command): Command {
  return command.option("--target <folder>", "any folder of skills instead of the default one");
}

function scopeOptions(command: Command): Command {
  return targetOption(command).option("--dry-run", "show what would change, and change nothing");
}

function acceptanceOptions(command: Command): Command {
  return command
    .addOption(
      severityOption("refuse findings of the scan from this severity on (default: critical)"),
    )
    .option(
      "--key <key>",
      "a trusted key, instead of the configured ones: a file or a line (repeatable)",
      collect,
    )
    .option("--require-signature", "refuse what is not signed with a trusted key")
    .option("--accept-signer", "accept another signer than the last time");
}

function severityOption(description: string): Option {
  const choices = ["low", "medium", "high", "critical", "never"];
  return new Option("--fail-on <severity>", description).choices(choices);
}

function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

function parseCount(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(value);
}
