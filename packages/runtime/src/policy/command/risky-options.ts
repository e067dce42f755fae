import { wordList } from "../word-list.ts";
import type { SimpleCommand } from "./simple-command.ts";
import { programName } from "./wrappers.ts";

interface RiskyOptions {
  /** Make the program start another one. */
  readonly starts: readonly string[];
  /** Make it write, or read its settings from elsewhere. */
  readonly writes: readonly string[];
}

/**
 * Options by which a harmless program does something else. A rule with a wildcard does not cover
 * them unless it names them.
 */
const RISKY: ReadonlyMap<string, RiskyOptions> = new Map([
  [
    "git",
    {
      starts: wordList(`
    -c --config-env --exec-path --exec -x --upload-pack --receive-pack --ext-diff
    --textconv --open-files-in-pager -O foreach filter-branch bisect ext:: --template
    config difftool mergetool --extcmd
  `),
      writes: ["--output", "-o", "-C", "--git-dir", "--work-tree", "--separate-git-dir"],
    },
  ],
  [
    "find",
    {
      starts: ["-exec", "-execdir", "-ok", "-okdir"],
      writes: ["-delete", "-fprint", "-fprint0", "-fprintf", "-fls"],
    },
  ],
  ["fd", { starts: ["-x", "-X", "--exec", "--exec-batch"], writes: [] }],
  ["rg", { starts: ["--pre", "--hostname-bin"], writes: [] }],
  ["sort", { starts: ["--compress-program"], writes: ["-o", "--output"] }],
  [
    "tar",
    {
      starts: wordList(`
    --to-command --checkpoint-action -I --use-compress-program -F --rsh-command
    --info-script --new-volume-script
  `),
      writes: ["-P", "--absolute-names"],
    },
  ],
  ["sed", { starts: [], writes: ["-i", "--in-place", "-f", "--file"] }],
  ["awk", { starts: ["system("], writes: ["-f", "--file", "-i", "--include"] }],
  ["man", { starts: ["-P", "--pager", "-H", "--html"], writes: [] }],
  ["ssh", { starts: ["-o", "-F"], writes: [] }],
  ["scp", { starts: ["-S", "-o", "-F"], writes: [] }],
  ["rsync", { starts: ["-e", "--rsh", "--rsync-path"], writes: [] }],
  [
    "curl",
    { starts: ["-K", "--config"], writes: ["-o", "-O", "--output", "--remote-name", "-T", "-D"] },
  ],
  [
    "wget",
    { starts: ["--use-askpass", "-e"], writes: ["-O", "--output-document", "-P", "--post-file"] },
  ],
  ["zip", { starts: ["-TT", "-T", "--unzip-command"], writes: [] }],
  ["go", { starts: ["-exec", "-toolexec", "-overlay"], writes: [] }],
  ["npm", { starts: ["--script-shell", "--node-options"], writes: [] }],
  ["yq", { starts: [], writes: ["-i", "--inplace"] }],
  ["tree", { starts: [], writes: ["-o"] }],
  ["less", { starts: ["+!", "+|"], writes: ["-o", "-O"] }],
]);

/** Programs that run a text they are given. */
const CODE_OPTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["python", ["-c"]],
  ["perl", ["-e", "-E"]],
  ["ruby", ["-e"]],
  ["node", ["-e", "-p", "--eval", "--print"]],
  ["deno", ["eval"]],
  ["bun", ["-e", "--eval"]],
  ["php", ["-r"]],
  ["lua", ["-e"]],
  ["tclsh", []],
]);

/**
 * The first risky option of a command that a rule's own text does not name; also a word that may
 * turn into one.
 */
export function riskyOption(command: SimpleCommand, named: string): string | undefined {
  const options = RISKY.get(programName(command.words[0]?.value ?? ""));
  if (options === undefined) return undefined;
  const open = command.words.find(
    ({ dynamic, glob, value }) => dynamic || (glob && /^[*?[]/.test(value)),
  );
  if (open !== undefined) return open.value;
  const all = [...options.starts, ...options.writes];
  const known = named.split(/\s+/);
  return findOption(
    command,
    all.filter((option) => !known.some((word) => isOption(word, option))),
  );
}

/** Whether a command may start others that cannot be seen. */
export function startsUnseen(command: SimpleCommand): boolean {
  const name = programName(command.words[0]?.value ?? "");
  const code = CODE_OPTIONS.get(name.replace(/[\d.]+$/, "")) ?? [];
  return findOption(command, [...(RISKY.get(name)?.starts ?? []), ...code]) !== undefined;
}

function findOption({ words }: SimpleCommand, options: readonly string[]): string | undefined {
  for (let i = 1; i < words.length; i++) {
    const value = words[i]?.value ?? "";
    const found = options.find((option) => isOption(value, option));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Long options may be shortened, short ones may stand together or before their value. */
function isOption(word: string, option: string): boolean {
  if (word === option) return true;
  if (!option.startsWith("-")) return /[^a-z-]/.test(option) && word.includes(option);
  if (option.startsWith("--")) {
    const name = word.split("=", 1)[0] ?? "";
    return name.length > 3 && option.startsWith(name);
  }
  if (option.length > 2) return word.startsWith(`${option}=`);
  return /^-[^-]/.test(word) && word.slice(1, 8).includes(option.charAt(1));
}
