import type { FetchOptions } from "../../fetched-pack.ts";
import type { PackFailure } from "../../pack-failure.ts";
import { findProgram } from "../program/find-program.ts";
import { programEnvironment } from "../program/program-environment.ts";
import { type ProgramResult, runProgram, type RunOptions } from "../program/run-program.ts";
import { sourceFailure } from "../source-failure.ts";

export type NpmOptions = Pick<FetchOptions, "cwd" | "env" | "signal">;

export interface Npm {
  readonly ok: true;
  readonly run: (
    argv: readonly string[],
    options?: Pick<RunOptions, "isTooMuch">,
  ) => Promise<ProgramResult>;
}

const TIMEOUT_MILLISECONDS = 5 * 60 * 1000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
/** The person's settings, and what their settings file is used to take tokens from. */
const KEPT = /^(?:npm_config_.*|NPM_TOKEN|NODE_AUTH_TOKEN)$/i;

/** Above all settings: no script runs, and the project's own .npmrc is not read. */
const ALWAYS = [
  "--ignore-scripts",
  "--workspaces=false",
  "--dry-run=false",
  "--global=false",
  "--loglevel=error",
  "--update-notifier=false",
  "--audit=false",
  "--fund=false",
  "--json",
];

/**
 * The npm client of the person with their settings, registries and tokens. It works in a folder of
 * its own and is told that this is the project: a project's .npmrc could send tokens elsewhere.
 */
export function openNpm(
  folder: string,
  { cwd, env = process.env, signal }: NpmOptions,
): Npm | PackFailure {
  const program = findProgram("npm", env, cwd);
  if (program === undefined) return missingNpm();
  const base = {
    cwd: folder,
    env: programEnvironment(env, cwd, (name) => KEPT.test(name)),
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    ...(signal !== undefined && { signal }),
  };
  const always = [`--prefix=${folder}`, ...ALWAYS];
  return {
    ok: true,
    run: async (argv, options = {}) =>
      runProgram(program, [...always, ...argv], { ...base, ...options }),
  };
}

function missingNpm(): PackFailure {
  return sourceFailure("program-missing", "this source needs npm, which is not installed", {
    hint: "Install npm (it comes with Node.js; on some systems it is the package “npm”) and see that it is in PATH.",
  });
}
