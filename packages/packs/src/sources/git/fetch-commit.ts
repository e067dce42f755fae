import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import type { GitSource } from "../parse/parsed-source.ts";
import type { RunOptions } from "../program/run-program.ts";
import { sourceFailure } from "../source-failure.ts";
import { gitFailure } from "./git-failure.ts";
import { makeRepository } from "./make-repository.ts";
import type { Git } from "./open-git.ts";
import type { WantedCommit } from "./remote-refs.ts";

interface Attempt {
  readonly options: readonly string[];
  readonly refspecs: readonly string[];
}

const FULL_COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i;
const OURS = "refs/skillwright/wanted";
/** No limit; but a server without depths fails at it, where a filter alone would never end. */
const ALL_DEPTH = "--depth=2147483647";
const COMMON = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--force"];
const EVERYTHING = [
  "+refs/heads/*:refs/skillwright/heads/*",
  "+refs/tags/*:refs/skillwright/tags/*",
];

/** Brings the wanted commit here and says its full hash. Content may still be missing. */
export async function fetchCommit(
  git: Git,
  source: GitSource,
  wanted: WantedCommit,
  isTooMuch: NonNullable<RunOptions["isTooMuch"]>,
): Promise<{ readonly ok: true; readonly commit: string } | PackFailure> {
  const isLong = (wanted.remote?.commit ?? wanted.ref ?? "").length === 64;
  let last: PackFailure | undefined;
  for (const { options, refspecs } of attemptsFor(source, wanted)) {
    const made = await makeRepository(git, isLong);
    if (made.status !== 0) return gitFailure(source.source, made);
    const argv = [...COMMON, ...options, "--", "origin", ...refspecs];
    const result = await git.run(argv, { isTooMuch });
    if (result.ended !== "exit") return gitFailure(source.source, result);
    if (result.status !== 0) {
      last = gitFailure(source.source, result);
      continue;
    }
    const commit = await commitOf(git, wanted.remote === undefined ? (wanted.ref ?? "") : OURS);
    if (commit !== undefined) return { ok: true, commit };
  }
  if (wanted.remote !== undefined && last !== undefined) return last;
  const shown = foreignText(source.source);
  return sourceFailure(
    "source-missing",
    `${shown} has no commit ${foreignText(wanted.ref ?? "")}`,
    {
      hint: "It may have been removed from its branch since; ask for the branch instead.",
    },
  );
}

/** The least first; servers that cannot do it are asked for more. */
function attemptsFor({ transport }: GitSource, { remote, ref = "" }: WantedCommit): Attempt[] {
  const shallow = ["--depth=1"];
  // On this machine there is nothing to save, and a partial copy would look there again later.
  const partial = transport === "file" ? [] : ["--filter=blob:none"];
  const ways = [[...shallow, ...partial], shallow, []];
  if (remote !== undefined) {
    return ways.map((options) => ({ options, refspecs: [`+${remote.name}:${OURS}`] }));
  }
  const whole = [[...partial, ALL_DEPTH], []].map((options) => ({ options, refspecs: EVERYTHING }));
  if (!FULL_COMMIT.test(ref)) return whole;
  return [{ options: ways[0] ?? [], refspecs: [ref.toLowerCase()] }, ...whole];
}

async function commitOf(git: Git, name: string): Promise<string | undefined> {
  const argv = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const { status, stdout } = await git.run(argv);
  const commit = stdout.toString("utf8").trim();
  return status === 0 && FULL_COMMIT.test(commit) ? commit : undefined;
}
