import type { Command, Option } from "commander";

/** What a command line says so far, up to the word at the cursor. */
export interface TypedCommand {
  readonly command: Command;
  readonly positionals: readonly string[];
  /** The option whose value is at the cursor. */
  readonly pending: Option | undefined;
  /** After `--` nothing is an option. */
  readonly isPlain: boolean;
  /** Values of options so far, by attribute. */
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** Reads the words before the cursor as commander would. */
export function typedCommand(program: Command, words: readonly string[]): TypedCommand {
  let command = program;
  let pending: Option | undefined;
  let isPlain = false;
  const positionals: string[] = [];
  const options: Record<string, string[]> = {};
  for (const word of words) {
    if (pending !== undefined) {
      (options[pending.attributeName()] ??= []).push(word);
      pending = undefined;
    } else if (isPlain || !word.startsWith("-")) {
      const below = positionals.length === 0 && !isPlain ? findCommand(command, word) : undefined;
      if (below === undefined) positionals.push(word);
      else command = below;
    } else if (word === "--") {
      isPlain = true;
    } else {
      const [flag, value] = splitFlag(word);
      const option = findOption(command, flag);
      if (option !== undefined && value !== undefined) {
        (options[option.attributeName()] ??= []).push(value);
      } else if (option !== undefined && takesValue(option)) {
        pending = option;
      }
    }
  }
  return { command, positionals, pending, isPlain, options };
}

/** Of this command and of those above it, as `--help` shows them. */
export function visibleOptions(command: Command): Option[] {
  const helper = command.createHelp();
  return [...helper.visibleOptions(command), ...helper.visibleGlobalOptions(command)];
}

export function findOption(command: Command, flag: string): Option | undefined {
  return visibleOptions(command).find(({ long, short }) => flag === long || flag === short);
}

/** `--flag=value` in its parts. */
export function splitFlag(word: string): [flag: string, value?: string] {
  const at = word.indexOf("=");
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

export function takesValue({ required, optional }: Option): boolean {
  return required || optional;
}

function findCommand(command: Command, word: string): Command | undefined {
  return command.commands.find((one) => one.name() === word || one.aliases().includes(word));
}
