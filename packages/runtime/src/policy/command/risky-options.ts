import { wordList } from "../tools.ts";
import type { SimpleCommand } from "./simple-command.ts";
import { riskyText } from "./risky-text.ts";
import { programName } from "./wrappers.ts";

interface RiskyOptions {
  /** Make the program start another one. */
  readonly starts: readonly string[];
  /** Make it write, or read its settings from elsewhere. */
  readonly writes: readonly string[];
}

const TARS: ReadonlySet<string> = new Set(["tar", "gtar", "bsdtar"]);
const TAR: RiskyOptions = {
  starts: wordList(`
    --to-command --checkpoint-action -I --use-compress-program -F --rsh-command
    --info-script --new-volume-script
  `),
  writes: ["-P", "--absolute-names"],
};

const AWK: RiskyOptions = {
  starts: ["-E", "--exec", "-l", "--load", "-W"],
  writes: wordList(`
    -f --file -i --include -o --pretty-print -p --profile -d --dump-variables -D --debug
  `),
};

/** Take their scripts and settings from elsewhere. */
const NPM: RiskyOptions = {
  starts: wordList(`
    --script-shell --shell --node-options --prefix -C --dir --cwd --userconfig --globalconfig
  `),
  writes: [],
};

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
    config difftool mergetool --extcmd send-email --smtp-server --sendmail-cmd instaweb --httpd
    hook for-each-repo merge-index daemon shell web--browse maintenance svn p4 cvsserver
  `),
      writes: ["--output", "-o", "-C", "--git-dir", "--work-tree", "--separate-git-dir"],
    },
  ],
  // Elsewhere this names the upstream branch.
  ["git clone", { starts: ["-u"], writes: [] }],
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
  ...[...TARS].map((name): [string, RiskyOptions] => [name, TAR]),
  ["sed", { starts: [], writes: ["-i", "--in-place", "-f", "--file"] }],
  ["gsed", { starts: [], writes: ["-i", "--in-place", "-f", "--file"] }],
  ...wordList("awk gawk mawk nawk").map((name): [string, RiskyOptions] => [name, AWK]),
  ["split", { starts: ["--filter"], writes: [] }],
  ["env", { starts: [], writes: ["-C", "--chdir"] }],
  ["ld.so", { starts: ["--preload", "--library-path", "--audit"], writes: [] }],
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
  ...wordList("npm pnpm yarn").map((name): [string, RiskyOptions] => [name, NPM]),
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
  const options = optionsOf(command);
  if (options.length === 0) return undefined;
  const open = command.words.find(
    ({ dynamic, glob, value }) => dynamic || (glob && /^[*?[]/.test(value)),
  );
  if (open !== undefined) return open.value;
  const all = options.flatMap(({ starts, writes }) => [...starts, ...writes]);
  const known = named.split(/\s+/);
  const unnamed = all.filter((option) => !known.some((word) => isOption(word, option)));
  return findOption(command, unnamed) ?? riskyText(command, named);
}

/** Whether a command may start others that cannot be seen. */
export function startsUnseen(command: SimpleCommand): boolean {
  const name = programName(command.words[0]?.value ?? "");
  const code = CODE_OPTIONS.get(name.replace(/(?<![\d.])[\d.]+$/, "")) ?? [];
  const starts = optionsOf(command).flatMap((options) => options.starts);
  return (findOption(command, [...starts, ...code]) ?? riskyText(command)) !== undefined;
}

/** Those of the program, and those that it has with one of its words. */
function optionsOf({ words }: SimpleCommand): readonly RiskyOptions[] {
  const name = programName(words[0]?.value ?? "");
  const names = [name, ...words.slice(1).map(({ value }) => `${name} ${value}`)];
  return [...new Set(names)].flatMap((key) => RISKY.get(key) ?? []);
}

function findOption({ words }: SimpleCommand, options: readonly string[]): string | undefined {
  const isTar = TARS.has(programName(words[0]?.value ?? ""));
  for (let i = 1; i < words.length; i++) {
    const written = words[i]?.value ?? "";
    // The first word of tar is options also without a dash.
    const isBundle = i === 1 && isTar && /^[A-Za-z]/.test(written);
    const value = isBundle ? `-${written}` : written;
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
    return name.length > 2 && option.startsWith(name);
  }
  if (option.length > 2) return word.startsWith(`${option}=`);
  const letters = /^-([A-Za-z\d]+)/.exec(word)?.[1] ?? "";
  return /^-[^-]/.test(word) && (letters + word.slice(1, 8)).includes(option.charAt(1));
}
