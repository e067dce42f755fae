import { mkdir } from "node:fs/promises";
import { devNull } from "node:os";
import { join } from "node:path";
import type { FetchOptions } from "../../fetched-pack.ts";
import type { PackFailure } from "../../pack-failure.ts";
import type { GitSource } from "../parse/parsed-source.ts";
import { findProgram } from "../program/find-program.ts";
import { programEnvironment } from "../program/program-environment.ts";
import { type ProgramResult, runProgram, type RunOptions } from "../program/run-program.ts";
import { sourceFailure } from "../source-failure.ts";

export type GitOptions = Pick<FetchOptions, "cwd" | "env" | "signal">;

type RunGit = (
  argv: readonly string[],
  options?: Pick<RunOptions, "input" | "isTooMuch">,
) => Promise<ProgramResult>;

export interface Git {
  readonly ok: true;
  /** The repository is the remote `origin`; its URL is in no file. */
  readonly run: RunGit;
  /** A bare repository of ours with the files it writes beside it. */
  readonly repository: string;
  readonly tree: string;
}

const TIMEOUT_MILLISECONDS = 10 * 60 * 1000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Settings that stand above those of the user. Theirs stay for the rest – credential helpers,
 * proxies, `insteadOf` – and a fetched repository brings none: git reads no settings from content.
 */
const SETTINGS: readonly string[] = [
  `core.hooksPath=${devNull}`,
  "core.fsmonitor=false",
  // Links become files of text and are refused by their mode before: nothing is written through one.
  "core.symlinks=false",
  "core.protectHFS=true",
  "core.protectNTFS=true",
  `core.attributesFile=${devNull}`,
  "core.autocrlf=false",
  "filter.lfs.smudge=",
  "filter.lfs.process=",
  "filter.lfs.required=false",
  "submodule.recurse=false",
  "fetch.recurseSubmodules=false",
  "fetch.unpackLimit=1",
  "fetch.fsckObjects=false",
  // A server that says nothing for a minute has gone.
  "http.lowSpeedLimit=1",
  "http.lowSpeedTime=60",
  "gc.auto=0",
  "maintenance.auto=false",
  "credential.interactive=never",
  "protocol.ext.allow=never",
  "advice.detachedHead=false",
];

/** What of a person's environment concerns how a host is reached, and nothing else of `GIT_…`. */
const KEPT =
  /^(?:GIT_SSH|GIT_SSH_COMMAND|GIT_SSH_VARIANT|GIT_SSL_CAINFO|GIT_SSL_CAPATH|GIT_PROXY_COMMAND)$/;

/** git of the system for one source; `folder` must exist and be empty. */
export async function openGit(
  { url, transport }: Pick<GitSource, "url" | "transport">,
  folder: string,
  { cwd, env = process.env, signal }: GitOptions,
): Promise<Git | PackFailure> {
  const program = findProgram("git", env, cwd);
  if (program === undefined) return missingGit();
  const [repository, tree] = [join(folder, "repository"), join(folder, "tree")];
  await mkdir(tree);
  const settings = [...SETTINGS, `remote.origin.url=${url}`].flatMap((pair) => ["-c", pair]);
  const base = {
    cwd: folder,
    env: gitEnvironment(env, cwd, transport),
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    ...(signal !== undefined && { signal }),
  };
  const place = `--git-dir=${repository}`;
  const run: RunGit = async (argv, options = {}) =>
    runProgram(program, [...settings, place, ...argv], { ...base, ...options });
  if (transport === "ssh") await askNothing(run, base.env);
  return { ok: true, run, repository, tree };
}

/**
 * Without a terminal ssh cannot ask anyhow; told so, it says at once what it lacks. A command that
 * the person has set may be another program and stays as it is.
 */
async function askNothing(run: RunGit, env: Record<string, string>): Promise<void> {
  if (env["GIT_SSH_COMMAND"] !== undefined || env["GIT_SSH"] !== undefined) return;
  const { stdout } = await run(["config", "--get", "core.sshCommand"]);
  if (stdout.length === 0) env["GIT_SSH_COMMAND"] = "ssh -oBatchMode=yes";
}

function gitEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
  transport: GitSource["transport"],
): Record<string, string> {
  // A person may rewrite https to ssh; nothing rewrites to a transport that runs programs.
  const protocols = transport === "file" ? ["file"] : ["https", "ssh"];
  if (!protocols.includes(transport)) protocols.push(transport);
  return {
    ...programEnvironment(env, cwd, (name) => KEPT.test(name)),
    GIT_ALLOW_PROTOCOL: protocols.join(":"),
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    GIT_LFS_SKIP_SMUDGE: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_OPTIONAL_LOCKS: "0",
    // A repository on this machine must not make git fetch for it: its settings are not ours.
    ...(transport === "file" && { GIT_NO_LAZY_FETCH: "1" }),
  };
}

function missingGit(): PackFailure {
  return sourceFailure("program-missing", "this source needs git, which is not installed", {
    hint: "Install git (the package “git” of the system) and see that it is in PATH.",
  });
}
