/** One word of a command, after the shell has taken its quotes off. */
export interface Word {
  /** Its text; where the shell would put something in, the text that stands there. */
  readonly value: string;
  /** The shell puts something in that is not known before: a variable, a substitution, a brace. */
  readonly dynamic: boolean;
  /** Holds `*`, `?` or `[` outside quotes: the shell may put file names in. */
  readonly glob: boolean;
}

export interface Assignment {
  readonly name: string;
  readonly word: Word;
}

export interface Redirection {
  /** Without the number before it: `>`, `>>`, `<`, `<<`, `>&`, … */
  readonly operator: string;
  /** The file; for `<<` what follows in the next lines. */
  readonly target: Word;
}

/** A program and its arguments, as one part of a command line starts it. */
export interface SimpleCommand {
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
  /** As it stands in the command line. */
  readonly source: string;
  /** Gets the output of another command. */
  readonly piped: boolean;
}

export interface ParsedCommand {
  /** Every simple command, also those inside substitutions, in the order in which they were read. */
  readonly commands: readonly SimpleCommand[];
  /** Why the whole is not understood; empty when it is. */
  readonly unclear: readonly string[];
}

export function literalWord(value: string): Word {
  return { value, dynamic: false, glob: false };
}

/** A program that is started without a shell: every word is what it says. */
export function literalCommand(words: readonly string[]): SimpleCommand {
  return {
    assignments: [],
    words: words.map(literalWord),
    redirections: [],
    source: words.join(" "),
    piped: false,
  };
}
