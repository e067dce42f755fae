import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { FetchedPack, FetchOptions } from "../../fetched-pack.ts";
import type { PackFailure } from "../../pack-failure.ts";
import { DEFAULT_LIMITS } from "../../pack-limits.ts";
import type { PackOrigin } from "../../pack-origin.ts";
import { takeSkills } from "../local/take-skills.ts";
import { newFolder, packOf } from "../pack-folder.ts";
import type { GitSource } from "../parse/parsed-source.ts";
import { folderSize } from "../program/folder-size.ts";
import { sourceFailure } from "../source-failure.ts";
import { checkOut } from "./check-out.ts";
import { chooseFiles } from "./choose-files.ts";
import { fetchCommit } from "./fetch-commit.ts";
import { listTree } from "./list-tree.ts";
import { openGit } from "./open-git.ts";
import { findWanted } from "./remote-refs.ts";

interface CheckedOut {
  readonly ok: true;
  /** The folder that was asked for, with the skills' files and nothing else. */
  readonly folder: string;
  readonly origin: PackOrigin;
  readonly notes: readonly string[];
}

/** The skills of a commit. Of the rest of the repository not even the content is asked for. */
export async function fetchGit(
  source: GitSource,
  options: FetchOptions,
): Promise<FetchedPack | PackFailure> {
  const work = await newFolder(options, "work");
  const out = await checkOutSkills(source, work, options);
  if (!out.ok) return out;
  const content = await newFolder(options, "pack");
  const rootName = nameOf(out.origin);
  const taken = await takeSkills(out.folder, content, rootName, options);
  if (!taken.ok) return taken;
  await rm(work, { recursive: true, force: true });
  const notes = [...out.notes, ...taken.notes];
  return packOf({ content, origin: out.origin, rootName, notes }, options);
}

async function checkOutSkills(
  source: GitSource,
  work: string,
  { limits: given, onProgress, ...options }: FetchOptions,
): Promise<CheckedOut | PackFailure> {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const git = await openGit(source, work, options);
  if (!git.ok) return git;
  const wanted = await findWanted(git, source);
  if (!wanted.ok) return wanted;
  const isTooMuch = async (): Promise<boolean> => {
    const done = await folderSize(git.repository);
    onProgress?.({ phase: "fetch", done, unit: "bytes", detail: source.source });
    return done > limits.archiveBytes || (await folderSize(git.tree)) > limits.bytes;
  };
  const fetched = await fetchCommit(git, source, wanted, isTooMuch);
  if (!fetched.ok) return fetched;
  const { commit } = fetched;
  const listed = await listTree(git, source.source, commit);
  if (!listed.ok) return listed;
  const { path = "" } = wanted;
  const chosen = chooseFiles(listed.entries, path, source.skill);
  if (!chosen.ok) return chosen;
  if (chosen.files.length > limits.files) {
    const message = `the skills there have more than ${limits.files} files`;
    const hint = "Name a folder of the repository, or one skill: owner/repo@skill.";
    return sourceFailure("limit-exceeded", message, { hint });
  }
  const placed = await checkOut(git, source.source, chosen.files, isTooMuch);
  if (!placed.ok) return placed;
  const origin: PackOrigin = {
    type: "git",
    source: source.source,
    ...(wanted.ref !== undefined && { ref: wanted.ref }),
    resolved: commit,
    ...(path !== "" && { path }),
  };
  const notes = [...wanted.notes, ...chosen.notes];
  return { ok: true, folder: join(git.tree, path), origin, notes };
}

function nameOf({ source, path }: PackOrigin): string {
  const last = (path ?? source).replace(/\/+$/, "").split(/[/:]/).at(-1) ?? "";
  return last.replace(/\.git$/i, "");
}
