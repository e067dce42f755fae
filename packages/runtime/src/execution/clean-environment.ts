import type { CheckedProgram } from "./commands/check-program.ts";
import {
  type ExecutionContext,
  executionFailure,
  type ExecutionFailure,
  type ExecutionReceipt,
} from "./executor.ts";
import { finishReceipt, type RunFacts } from "./finish-receipt.ts";
import type { ChildEnd } from "./supervise-child.ts";

interface EnvironmentPlaces {
  readonly home: string;
  readonly temporary: string;
  readonly skillDirectory: string;
  readonly skillName: string;
  /** Python looks here for modules after the script's own folder. */
  readonly pythonPath?: string | undefined;
}

/** Only folders that belong to the system; an empty part would mean the working directory. */
const CLEAN_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const MAX_VALUE_LENGTH = 32 * 1024;

/** Variables that make a program load or start something, or that are ours to set. */
const REFUSED = new RegExp(
  `^(?:${[
    "(?:LD|DYLD|NODE|GIT|BASH|GLIBC|MALLOC|NPM|UV|PIP|JAVA|JDK|DOTNET|SKILLWRIGHT)_.*",
    "(?:OPENSSL|SSL|SSH|DBUS|XDG)_.*|(?:PYTHON|PERL5|TERMINFO|GCONV).*|PERLLIB|RUBYOPT|RUBYLIB",
    ".*_PROXY|PATH|HOME|USER|LOGNAME|TMPDIR|TMP|TEMP|TERM|SHELL|LANG|NO_COLOR|SKILL_DIR|SKILL_NAME",
    "ENV|IFS|CDPATH|SHELLOPTS|BASHOPTS|PS\\d|PROMPT_COMMAND|LOCPATH|NLSPATH|HOSTALIASES",
    "RESOLV_HOST_CONF|EDITOR|VISUAL|PAGER|LESSOPEN|LESSCLOSE|BROWSER|DISPLAY",
  ].join("|")})$`,
  "i",
);

/** Builds the environment of a script from nothing. What this process has is not looked at. */
export function cleanEnvironment(
  places: EnvironmentPlaces,
  added: Readonly<Record<string, string>> = {},
): { readonly ok: true; readonly env: Readonly<Record<string, string>> } | ExecutionFailure {
  for (const [name, value] of Object.entries(added)) {
    const problem = problemOf(name, value);
    if (problem === undefined) continue;
    const shown = JSON.stringify(name.slice(0, 100));
    return executionFailure("environment-refused", `the variable ${shown} ${problem}`);
  }
  const env = {
    PATH: CLEAN_PATH,
    HOME: places.home,
    USER: "sandbox",
    LOGNAME: "sandbox",
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    TMPDIR: places.temporary,
    SKILL_DIR: places.skillDirectory,
    SKILL_NAME: places.skillName.replaceAll("\0", ""),
  };
  const python = places.pythonPath === undefined ? {} : { PYTHONPATH: places.pythonPath };
  return { ok: true, env: { ...added, ...env, ...python } };
}

function problemOf(name: string, value: string): string | undefined {
  if (!NAME.test(name)) return "has a name that is not allowed";
  if (REFUSED.test(name)) return "changes how programs start, or is set by the runtime";
  if (typeof value !== "string" || value.includes("\0")) return "has a value that is not allowed";
  return value.length > MAX_VALUE_LENGTH ? "has a value that is too long" : undefined;
}

/** One program, checked, with a private folder that is gone afterwards. */
export interface ProgramTask {
  readonly checked: CheckedProgram;
  readonly hidden: readonly string[];
  readonly directory: string;
  readonly context: ExecutionContext;
}

/** The environment of a script without what names a skill. */
export function programEnvironment(
  places: Pick<EnvironmentPlaces, "home" | "temporary">,
): Readonly<Record<string, string>> {
  const environment = cleanEnvironment({ ...places, skillDirectory: "", skillName: "" });
  // Only variables that were added can be refused.
  if (!environment.ok) throw new Error(environment.message);
  const { SKILL_DIR: _folder, SKILL_NAME: _name, ...env } = environment.env;
  return env;
}

/** The receipt of a program that was started. */
export function programReceipt(
  end: ChildEnd,
  { checked }: ProgramTask,
  facts: Pick<RunFacts, "sandbox" | "unenforced" | "durationMs" | "failure">,
): ExecutionReceipt {
  const { program, args, limits } = checked;
  return finishReceipt(end, {
    ...facts,
    digest: "",
    command: [program.program, ...args],
    script: program.name,
    // What is missing to a program is not ours to explain, as it is for a script.
    interpreter: "",
    timeoutMs: limits.timeoutMs,
    usesEnvironment: false,
  });
}
