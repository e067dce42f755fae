import { wordList } from "../tools.ts";
/** How a program that starts another one reads its arguments. */
export interface Wrapper {
  /**
   * `transparent`: the command behind it does just what it would do alone, so a rule for that
   * command covers both. `executor`: it changes who runs the command, where or how often; rules must
   * cover both. `runner`: a tool with a life of its own that also starts programs.
   */
  readonly kind: "transparent" | "executor" | "runner";
  /** Options, short ones as single letters, that take the next word as their value. */
  readonly values: readonly string[];
  /** Words that stand before the command. */
  readonly positionals: number;
}

const SETPRIV_VALUES = `
  --reuid --regid --ruid --euid --rgid --egid --groups --inh-caps --ambient-caps --bounding-set
  --securebits --pdeathsig --selinux-label --apparmor-profile
`;
/** The loader of the system's libraries, which also starts programs. */
const LOADER = /^ld(?:-[\w.-]+)?\.so(?:\.\d+)*$/;

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ...entries("transparent", "nohup command builtin noglob nocorrect"),
  ...entries("transparent", "nice", "n --adjustment"),
  ...entries("transparent", "stdbuf", "i o e --input --output --error"),
  ...entries("transparent", "timeout gtimeout", "k s --kill-after --signal", 1),
  ...entries("transparent", "time"),
  ...entries("executor", "exec", "a"),
  ...entries("executor", "env", "u C S a --unset --chdir --split-string --argv0"),
  ...entries("executor", "sudo", "u g h p C r t T U D R --user --group --host --prompt --chdir"),
  ...entries("executor", "doas", "u C"),
  ...entries("executor", "xargs", "I E L n P s d a --arg-file --delimiter --max-args --max-procs"),
  ...entries("executor", "setsid caffeinate fakeroot unbuffer rlwrap winpty busybox toybox"),
  ...entries("executor", "setarch linux32 linux64 tini dumb-init catchsegv coproc entr"),
  ...entries("executor", "ionice", "c n p P u --class --classdata"),
  ...entries("executor", "chrt taskset gosu su-exec chroot", "T P D --userspec --groups", 1),
  ...entries("executor", "flock", "w E --timeout --conflict-exit-code", 1),
  ...entries("executor", "watch", "n --interval"),
  ...entries("executor", "unshare nsenter", "t S G R w"),
  ...entries("executor", "prlimit", "p o --pid --output"),
  ...entries("executor", "setpriv", SETPRIV_VALUES),
  ...entries("executor", "numactl", "i w m N C p P --interleave --membind --cpunodebind"),
  ...entries("executor", "perf faketime", "", 1),
  ...entries("executor", "ld.so", "--library-path --preload --audit --inhibit-rpath --argv0"),
  ...entries("executor", "choom cgexec", "n g --adjust"),
  ...entries("executor", "pkexec valgrind systemd-inhibit dbus-run-session eatmydata"),
  ...entries("executor", "strace ltrace", "o e p s u E P a I O"),
  ...entries("runner", "su runuser script ssh parallel systemd-run firejail proot at batch"),
  ...entries("runner", "npx bunx pnpx uvx pipx npm pnpm yarn bun uv poetry pipenv conda bundle"),
  ...entries("runner", "docker podman kubectl nerdctl lxc mise direnv nix nix-shell tmux screen"),
  ...entries("runner", "find fd fdfind alias trap cmd powershell pwsh gdb xvfb-run osascript make"),
]);

/** Programs that read commands from `-c`, from a file, or from what is fed to them. */
export const SHELLS: ReadonlySet<string> = new Set(
  wordList("sh bash zsh dash ksh ash fish rbash mksh csh tcsh yash"),
);

/** Commands that change what later commands mean. */
export const SHELL_CHANGERS: ReadonlySet<string> = new Set(
  wordList(`
    alias unalias trap hash enable source . bind shopt set read export declare typeset
    readonly local mapfile readarray complete unset getopts autoload zmodload let
  `),
);

/** Variables that only change how output looks. */
const HARMLESS_VARIABLE =
  /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|COLUMNS|LINES|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|NODE_ENV|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|RUST_BACKTRACE|RUST_LOG|DEBUG)$/;

export function isHarmlessVariable(name: string): boolean {
  return HARMLESS_VARIABLE.test(name);
}

/** A program's name without its folder and without `.exe`; the loader has one for all systems. */
export function programName(command: string): string {
  const name = command.slice(Math.max(command.lastIndexOf("/"), command.lastIndexOf("\\")) + 1);
  const plain = name.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/, "");
  return LOADER.test(plain) ? "ld.so" : plain;
}

function entries(
  kind: Wrapper["kind"],
  names: string,
  values = "",
  positionals = 0,
): [string, Wrapper][] {
  const wrapper: Wrapper = { kind, values: wordList(values), positionals };
  return names.split(" ").map((name) => [name, wrapper]);
}
