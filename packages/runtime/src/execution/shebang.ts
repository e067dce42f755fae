export interface Shebang {
  /** Last part of the program's path, without a version: `python3`, `bash`. */
  readonly program: string;
  readonly flags: readonly string[];
}

const LINE = /^#![ \t]*([^\r\n]{1,256})/;

/** What the first line asks for. Only the name counts: where the line looks for it does not. */
export function parseShebang(head: string): Shebang | undefined {
  const words =
    LINE.exec(head)?.[1]
      ?.trim()
      .split(/[ \t]+/) ?? [];
  if (nameOf(words[0]) === "env") {
    words.shift();
    if (words[0] === "-S") words.shift();
  }
  const program = nameOf(words[0]);
  if (program === undefined || program === "") return undefined;
  return { program: program.replace(/^(python3|ruby|perl)[\d.]+$/, "$1"), flags: words.slice(1) };
}

function nameOf(word: string | undefined): string | undefined {
  return word?.slice(word.lastIndexOf("/") + 1);
}
