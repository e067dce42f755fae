import { collect } from "./option-with-values.ts";
import { type Command, Option } from "commander";
import { addHelp } from "../help/add-help.ts";
import type { PackCommandOptions, SignCommandOptions } from "../packs/publish-commands.ts";
import type { ScanCommandOptions } from "../packs/scan-command.ts";
import type { VerifyCommandOptions } from "../packs/verify-pack-file.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";
import { severityOption, targetOption } from "./pack-options.ts";

const PACKS_PAGE = "docs/packs.md";

/** How skills are checked and shipped: `verify`, `scan`, `pack`, `sign`. */
export function registerPublishingCommands(program: Command, wrap: WrapAction): void {
  registerVerify(program, wrap);
  registerScan(program, wrap);
  registerPack(program, wrap);
  registerSign(program, wrap);
}

function registerVerify(program: Command, wrap: WrapAction): void {
  const verify = targetOption(
    program
      .command("verify")
      .summary("compare skills with the lock, or a pack with its signature")
      .description(
        "Hashes every file of installed skills and says ok, modified, missing or extra. Skills from a signed pack are checked against what was signed. With the file of a pack it checks the manifest and the signature beside it.",
      )
      .argument("[what...]", "names of installed skills, or one pack")
      .option("--key <key>", "a key that must have signed: a file or a line (repeatable)", collect)
      .option("--require-signature", "fail for what is not signed with a trusted key")
      .option("--signature <file>", "the signature (default: <pack>.sig)")
      .option("--identity <name>", "who must have signed <pack>.sigstore.json")
      .option("--issuer <url>", "who vouches for that identity")
      .option("--trusted-root <file>", "the keys of Sigstore's logs, a trusted_root.json"),
  ).action(
    wrap(async (args, console) => {
      const { verifyCommand } = await import("../packs/verify-command.ts");
      const options = commandOf(args).optsWithGlobals<VerifyCommandOptions>();
      return verifyCommand(args[0] as string[], options, console);
    }),
  );
  addHelp(verify, {
    examples: {
      "skillwright verify": "everything that is installed",
      "skillwright verify pdf-tools": "one skill",
      "skillwright verify --require-signature": "who signed it, too",
      "skillwright verify skills.zip --key author.pub": "a pack and its signer",
    },
    exitCodes: {
      0: "all is as it should be",
      1: "something differs",
      2: "wrong usage or configuration, or a damaged lock",
      4: "nothing is installed",
    },
    seeAlso: ["skillwright install", "skillwright sign", PACKS_PAGE],
  });
}

function registerScan(program: Command, wrap: WrapAction): void {
  const scan = program
    .command("scan")
    .summary("look for what a person should see before using a skill")
    .description(
      "Looks through texts and scripts for prompt injection, exfiltration, obfuscated or remote code, persistence, destruction and over-reach. Findings, not verdicts. --rules --verbose explains every rule.",
    )
    .argument("[paths...]", "skills or folders of skills; without one the project's own")
    .addOption(severityOption("fail from this severity on (default: high)"))
    .addOption(new Option("--format <format>", "how to print").choices(["human", "json", "sarif"]))
    .option("--rules", "list the rules")
    .action(
      wrap(async (args, console) => {
        const { scanCommand } = await import("../packs/scan-command.ts");
        const options = commandOf(args).optsWithGlobals<ScanCommandOptions>();
        return scanCommand(args[0] as string[], options, console);
      }),
    );
  addHelp(scan, {
    examples: {
      "skillwright scan ./downloaded-skill": "before it is used",
      "skillwright scan --fail-on medium --format sarif": "for a code scanning page",
      "skillwright scan --rules --verbose": "what is looked for",
    },
    exitCodes: {
      0: "nothing from that severity on",
      1: "findings",
      2: "wrong usage",
      4: "nothing to scan",
    },
    seeAlso: ["skillwright lint", "skillwright trust", "docs/scan-rules.md"],
  });
}

function registerPack(program: Command, wrap: WrapAction): void {
  const format = new Option("--format <format>", "what to make (default: by the name of -o)");
  const layout = new Option(
    "--layout <layout>",
    "pack: folders and a manifest; folders: without it; root: one skill",
  );
  const pack = program
    .command("pack")
    .summary("make an archive of skills, byte for byte the same")
    .description(
      "Packs skills into one archive with a manifest of hashes, or writes the files that a static host serves as a well-known index. The same content gives the same bytes. Skills with errors, links or secrets are refused.",
    )
    .argument("[paths...]", "skills or folders of skills; without one the project's own")
    .option("-o, --output <file>", "the archive, or the folder of the site")
    .addOption(format.choices(["zip", "tar.gz", "well-known"]))
    .addOption(layout.choices(["pack", "folders", "root"]))
    .option("--base-url <url>", "where the site is served, for absolute addresses")
    .option("--strict", "refuse what the linter warns about")
    .option("--allow-secrets", "pack files that look like secrets")
    .option("--force", "replace an output that has other content")
    .action(
      wrap(async (args, console) => {
        const { packCommand } = await import("../packs/publish-commands.ts");
        const options = commandOf(args).optsWithGlobals<PackCommandOptions>();
        return packCommand(args[0] as string[], options, console);
      }),
    );
  addHelp(pack, {
    examples: {
      "skillwright pack skills/pdf-tools": "pdf-tools.zip",
      "skillwright pack skills -o skills.tar.gz": "all of a folder",
      "skillwright pack skills --format well-known -o public": "a site",
    },
    exitCodes: { 0: "made", 1: "refused", 2: "wrong usage", 4: "nothing to pack" },
    seeAlso: ["skillwright sign", "skillwright install", PACKS_PAGE],
  });
}

function registerSign(program: Command, wrap: WrapAction): void {
  const sign = program
    .command("sign")
    .summary("sign a pack with an Ed25519 key")
    .description(
      "Writes <pack>.sig over the pack's manifest, in the format of `ssh-keygen -Y sign`. The key is an OpenSSH or PEM private key, or the .pub of one that the SSH agent holds.",
    )
    .argument("<pack>", "the archive")
    .requiredOption("--key <file>", "the key to sign with")
    .option("-o, --output <file>", "the signature (default: <pack>.sig)")
    .option("--force", "replace a signature by another key")
    .action(
      wrap(async (args, console) => {
        const { signCommand } = await import("../packs/publish-commands.ts");
        const options = commandOf(args).optsWithGlobals<SignCommandOptions>();
        return signCommand(args[0] as string, options, console);
      }),
    );
  addHelp(sign, {
    examples: {
      "skillwright sign skills.zip --key ~/.ssh/id_ed25519": "with an OpenSSH key",
      "skillwright sign skills.zip --key agent.pub": "with a key of the SSH agent",
    },
    exitCodes: { 0: "signed", 1: "refused", 2: "wrong usage, or a key that cannot be read" },
    seeAlso: ["skillwright verify", PACKS_PAGE],
  });
}
