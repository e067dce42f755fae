import { homedir } from "node:os";
import { defaultStateDirectory } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import {
  type InstallScope,
  type PackFailure,
  type PackProgress,
  type PackSession,
  resolveScope,
} from "@skillwright/packs";
import type { Console, GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import { cancelOnInterrupt } from "../terminal/cancel-on-interrupt.ts";
import { progressLine } from "./progress-line.ts";
import { shellWord } from "./shell-word.ts";

/** What commands on installed skills have in common. */
export interface ScopeOptions extends GlobalOptions {
  /** Any folder of skills. */
  readonly target?: string;
  readonly dryRun?: boolean;
  /** The client whose folder is meant. */
  readonly agent?: string;
}

/** What says on the command line where skills are, to be said again in a hint. */
export function scopeFlags({ source, target, root = [], agent }: ScopeOptions): string {
  const flags = [
    ...(agent === undefined ? [] : ["--agent", agent]),
    ...(source === undefined ? [] : ["--source", source]),
    ...(target === undefined ? [] : ["--target", target]),
    ...root.flatMap((folder) => ["--root", folder]),
  ];
  return flags.map((word) => ` ${shellWord(word)}`).join("");
}

/** Where skills go and which lock describes them. */
function commandScope(options: ScopeOptions, { cwd, env }: Console): InstallScope {
  const { root = [], source } = options;
  const targets = [...(options.target === undefined ? [] : [options.target]), ...root];
  if (targets.length > 1) throw usageFailure("skills are installed into one folder at a time");
  const [target] = targets;
  if (source !== undefined && source !== "project" && source !== "user") {
    const message = `nothing is installed into the source ${JSON.stringify(source)}`;
    throw usageFailure(message, "use --source project or --source user");
  }
  if (source !== undefined && target !== undefined) {
    throw usageFailure("--source and --target each say where", "leave one of them out");
  }
  const { agent } = options;
  if (agent !== undefined && target !== undefined) {
    throw usageFailure("--agent and --target each say where", "leave one of them out");
  }
  const home = env["HOME"] ?? homedir();
  const scope = resolveScope({ cwd, home, env, source, target, agent });
  if (!scope.ok) throw packFailure(scope);
  return scope;
}

export function usageFailure(message: string, hint?: string): CommandFailure {
  return new CommandFailure(EXIT.usage, message, { code: "usage", ...(hint && { hint }) });
}

/** Does something to installed skills; Ctrl-C leaves the old state. */
export async function withPacks<Result extends { readonly ok: true }>(
  options: ScopeOptions,
  console: Console,
  work: (session: PackSession) => Promise<Result | PackFailure>,
): Promise<Result> {
  const scope = commandScope(options, console);
  const { cwd, env } = console;
  return inPieces(console, (pieces) =>
    work({
      scope,
      cwd,
      env,
      stateDirectory: defaultStateDirectory(env),
      dryRun: options.dryRun === true,
      ...pieces,
      onWait: (pid) => {
        const who = pid === undefined ? "another process" : `the process ${pid}`;
        console.note(visibleLine(`waiting for ${who}, which is changing ${scope.root} …`));
      },
    }),
  );
}

/** Does something long: with progress, and a Ctrl-C that ends it cleanly. */
export async function inPieces<Result extends { readonly ok: true }>(
  console: Console,
  work: (
    pieces: Required<Pick<PackSession, "signal" | "onProgress">>,
  ) => Promise<Result | PackFailure>,
): Promise<Result> {
  const width = Math.min(console.width, SHOWN_COLUMNS) - 1;
  const onProgress = (progress: PackProgress) =>
    console.progress(progressLine(progress).slice(0, width));
  const result = await cancelOnInterrupt(async (signal) => {
    try {
      return await work({ signal, onProgress });
    } catch (error) {
      if (signal.aborted && (error as Error).name === "AbortError") return CANCELED;
      throw error;
    } finally {
      // What is said next, an error among others, starts on a line of its own.
      console.progress("");
    }
  });
  if (!result.ok) throw packFailure(result);
  return result;
}

const CANCELED: PackFailure = {
  ok: false,
  code: "canceled",
  message: "canceled; nothing was changed",
};

/** A line that is broken cannot be taken back. */
const SHOWN_COLUMNS = 80;

const EXIT_CODES: Partial<Record<PackFailure["code"], 2 | 4 | 130>> = {
  "source-invalid": EXIT.usage,
  "lock-invalid": EXIT.usage,
  "source-missing": EXIT.missing,
  "skill-missing": EXIT.missing,
  "program-missing": EXIT.missing,
  "not-installed": EXIT.missing,
  "nothing-to-undo": EXIT.missing,
  canceled: EXIT.interrupted,
};

const SHOWN_CANDIDATES = 20;

function packFailure({ code, message, hint, candidates = [] }: PackFailure): CommandFailure {
  const rest = candidates.length - SHOWN_CANDIDATES;
  // Of edits, they are what is edited, which the message says.
  const isChoice = code !== "local-edits";
  const shown = isChoice ? candidates.slice(0, SHOWN_CANDIDATES).join(", ") : "";
  const names = shown === "" ? undefined : `there is: ${shown}${rest > 0 ? `, ${rest} more` : ""}`;
  const more = [hint, names].filter((text) => text !== undefined).join("\n");
  // An invalid pack is refused; a pack that merely lacks the named skill is not an error of the pack.
  const isNoPack = code === "skill-missing" && candidates.length === 0;
  const exitCode = isNoPack ? EXIT.no : (EXIT_CODES[code] ?? EXIT.no);
  return new CommandFailure(exitCode, message, { code, ...(more !== "" && { hint: more }) });
}
