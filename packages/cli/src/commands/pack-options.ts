import { collect } from "./option-with-values.ts";
import { type Command, InvalidArgumentError, Option } from "commander";

export function targetOption(command: Command): Command {
  return command.option("--target <folder>", "any folder of skills instead of the default one");
}

export function scopeOptions(command: Command): Command {
  return targetOption(command).option("--dry-run", "show what would change, and change nothing");
}

export function acceptanceOptions(command: Command): Command {
  return command
    .addOption(severityOption("refuse findings of the scan from this severity on (default: high)"))
    .option(
      "--key <key>",
      "a trusted key, instead of the configured ones: a file or a line (repeatable)",
      collect,
    )
    .option("--require-signature", "refuse what is not signed with a trusted key")
    .option("--accept-signer", "accept another signer than the last time");
}

export function severityOption(description: string): Option {
  const choices = ["low", "medium", "high", "critical", "never"];
  return new Option("--fail-on <severity>", description).choices(choices);
}

export function parseCount(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(value);
}
