import { nearNames } from "@skillwright/core/internal";
import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import type { GitSource } from "../parse/parsed-source.ts";
import { sourceFailure } from "../source-failure.ts";
import { gitFailure } from "./git-failure.ts";
import type { Git } from "./open-git.ts";

/** Where a ref leads in the remote repository. */
interface RemoteRef {
  /** Full name, `refs/heads/main`, or `HEAD`. */
  readonly name: string;
  /** What it leads to: the commit, also behind an annotated tag. */
  readonly commit: string;
}

export interface WantedCommit {
  readonly ok: true;
  /** The ref that names it; absent for a commit that is only known by its hash. */
  readonly remote?: RemoteRef;
  /** As asked for, when it was. */
  readonly ref?: string;
  readonly path?: string;
  readonly notes: readonly string[];
}

const COMMIT = /^[0-9a-f]{7,64}$/i;

/** Finds what a source asks for among the refs of the remote repository, without content. */
export async function findWanted(git: Git, source: GitSource): Promise<WantedCommit | PackFailure> {
  const { ref, path, tree } = source;
  if (tree !== undefined) return findTree(git, source, tree);
  const given = { ...(ref !== undefined && { ref }), ...(path !== undefined && { path }) };
  const patterns = ref === undefined ? ["HEAD"] : namesOf(ref);
  const listed = await listRefs(git, source, patterns);
  if (!listed.ok) return listed;
  const found = patterns.flatMap((name) => listed.refs.filter((remote) => remote.name === name));
  const [remote, other] = found;
  if (remote !== undefined) {
    const isDouble = other !== undefined && other.commit !== remote.commit;
    const notes = isDouble ? [`“${ref}” is a branch and a tag; took the branch`] : [];
    return { ok: true, remote, ...given, notes };
  }
  if (ref === undefined) {
    return sourceFailure("source-missing", `${source.source} has no commits on its main branch`, {
      hint: "Name a branch or tag: #name.",
    });
  }
  return COMMIT.test(ref) ? { ok: true, ...given, notes: [] } : missingRef(git, source, ref);
}

/** Only the repository knows where the ref of a page's address ends: the longest one wins. */
async function findTree(
  git: Git,
  source: GitSource,
  tree: string,
): Promise<WantedCommit | PackFailure> {
  const listed = await listRefs(git, source, []);
  if (!listed.ok) return listed;
  const parts = tree.split("/");
  for (let length = parts.length; length > 0; length--) {
    const ref = parts.slice(0, length).join("/");
    const remote = namesOf(ref).flatMap((name) =>
      listed.refs.filter((one) => one.name === name),
    )[0];
    if (remote === undefined) continue;
    const path = parts.slice(length).join("/");
    return { ok: true, remote, ref, ...(path !== "" && { path }), notes: [] };
  }
  const [first = "", ...rest] = parts;
  if (!COMMIT.test(first)) return missingRef(git, source, first);
  return { ok: true, ref: first, path: rest.join("/"), notes: [] };
}

/** As `git clone --branch` has it: a branch before a tag. */
function namesOf(ref: string): readonly string[] {
  return ref.startsWith("refs/") ? [ref] : [`refs/heads/${ref}`, `refs/tags/${ref}`];
}

async function listRefs(
  git: Git,
  { source }: GitSource,
  patterns: readonly string[],
): Promise<{ readonly ok: true; readonly refs: readonly RemoteRef[] } | PackFailure> {
  const limits = patterns.length === 0 ? ["--heads", "--tags"] : [];
  const peeled = patterns.map((name) => `${name}^{}`);
  const argv = ["ls-remote", "--quiet", ...limits, "--", "origin", ...patterns, ...peeled];
  const result = await git.run(argv);
  if (result.ended !== "exit" || result.status !== 0) return gitFailure(source, result);
  const refs = new Map<string, string>();
  for (const line of result.stdout.toString("utf8").split("\n")) {
    const [, commit, name, isPeeled] = /^([0-9a-f]{40,64})\t(\S+?)(\^\{\})?$/.exec(line) ?? [];
    if (commit === undefined || name === undefined) continue;
    if (isPeeled !== undefined || !refs.has(name)) refs.set(name, commit);
  }
  return { ok: true, refs: [...refs].map(([name, commit]) => ({ name, commit })) };
}

async function missingRef(git: Git, source: GitSource, ref: string): Promise<PackFailure> {
  const listed = await listRefs(git, source, []);
  const names = listed.ok ? listed.refs.map(({ name }) => name.replace(/^refs\/[^/]+\//, "")) : [];
  const candidates = nearNames(ref, new Set(names));
  const shown = foreignText(source.source);
  const message = `${shown} has no branch, tag or commit “${foreignText(ref)}”`;
  return sourceFailure("source-missing", message, {
    candidates: candidates.map(foreignText),
    ...(candidates.length === 0 && names.length > 0 && { hint: `It has: ${someOf(names)}.` }),
  });
}

function someOf(names: readonly string[]): string {
  return foreignText(`${names.slice(0, 8).join(", ")}${names.length > 8 ? ", …" : ""}`);
}
