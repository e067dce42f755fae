import { basename } from "node:path";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import { BASH_SCRIPT } from "./scripts/bash.ts";
import { FISH_SCRIPT } from "./scripts/fish.ts";
import { POWERSHELL_SCRIPT } from "./scripts/powershell.ts";
import { ZSH_SCRIPT } from "./scripts/zsh.ts";

interface ShellSetup {
  readonly script: string;
  /** The command that installs it for good. */
  readonly install: string;
  readonly note: string;
}

const SHELLS: Readonly<Record<string, ShellSetup>> = {
  bash: {
    script: BASH_SCRIPT,
    install: "skillwright completion bash >> ~/.bashrc",
    note: "It works in every new shell, and in this one after: source ~/.bashrc",
  },
  zsh: {
    script: ZSH_SCRIPT,
    install: "skillwright completion zsh >> ~/.zshrc",
    note: "Put it below compinit. It works in every new shell.",
  },
  fish: {
    script: FISH_SCRIPT,
    install: "skillwright completion fish > ~/.config/fish/completions/skillwright.fish",
    note: "It works at once.",
  },
  powershell: {
    script: POWERSHELL_SCRIPT,
    install: "skillwright completion powershell >> $PROFILE",
    note: "It works in every new shell.",
  },
};

/** Prints the script of a shell; without one, how to install that of the person's own. */
export async function completionCommand(
  shell: string | undefined,
  console: Console,
): Promise<ExitCode> {
  const name = shell ?? guessedShell(console);
  const setup = Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
  if (setup === undefined) {
    throw new CommandFailure(EXIT.usage, "your shell could not be guessed", {
      hint: `name it: skillwright completion ${Object.keys(SHELLS).join("|")}`,
    });
  }
  const { script, install, note } = setup;
  if (console.json) console.printJson({ shell: name, script, install });
  else if (shell !== undefined) console.print(script.trimEnd());
  else
    console.print(
      `Your shell seems to be ${name}. To complete with the tab key:\n\n  ${install}\n\n${note}`,
    );
  return EXIT.done;
}

function guessedShell({ env }: Console): string {
  const name = basename(env["SHELL"] ?? "").replace(/\.exe$/i, "");
  if (name === "pwsh" || (name === "" && env["PSModulePath"] !== undefined)) return "powershell";
  return name;
}
