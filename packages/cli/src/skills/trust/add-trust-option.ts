import type { Command } from "commander";

/** For commands that disclose or run skills; `openSession` and `requireTrust` read it. */
export function addTrustOption(command: Command): Command {
  return command.option("--trust", "trust this project's skills in this run only");
}
