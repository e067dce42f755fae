import { realpathSync } from "node:fs";
import { join } from "node:path";
import { TimeSlice } from "@skillwright/core";
import type { Candidate } from "../fetched-pack.ts";
import type { PackFailure } from "../pack-failure.ts";
import { candidateName } from "./candidate-name.ts";
import { showName, showNames } from "./entries/show-name.ts";
import { canceled, refuse } from "./refuse.ts";
import { readChildren, type Search, searchFolders } from "./search-folders.ts";

export interface FindCandidatesOptions {
  /** What a skill at the root is called if it does not say: its folder, repository or package. */
  readonly rootName?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundCandidates {
  readonly ok: true;
  /** In byte order of their paths. At least one. */
  readonly skills: readonly Candidate[];
  readonly notes: readonly string[];
}

export async function findCandidates(
  given: string,
  { rootName, signal }: FindCandidatesOptions = {},
): Promise<FoundCandidates | PackFailure> {
  const directory = realPath(given);
  if (directory === undefined) {
    return refuse("source-missing", `there is no folder ${JSON.stringify(given)}`);
  }
  const search = await searchFolders(directory, signal);
  if ("ok" in search) return search;
  const { paths, notes } = search;
  if (paths.length === 0) return missing(directory, search);
  const skills: Candidate[] = [];
  const slice = new TimeSlice();
  for (const path of paths) {
    if (signal?.aborted === true) return canceled();
    if (slice.isOver) await slice.rest();
    const folder = join(directory, path);
    const last = path === "" ? rootName : path.slice(path.lastIndexOf("/") + 1);
    const named = candidateName(folder, last);
    if ("problem" in named) return unnamed(named.problem);
    skills.push({ name: named.name, directory: join(given, path), path });
  }
  return { ok: true, skills, notes: [...notes, ...sharedNames(skills)] };
}

function realPath(folder: string): string | undefined {
  try {
    return realpathSync.native(folder);
  } catch {
    return undefined;
  }
}

function missing(directory: string, { misspelt }: Search): PackFailure {
  const names = (readChildren(directory) ?? []).map((child) =>
    child.isDirectory() ? `${child.name}/` : child.name,
  );
  const there =
    names.length === 0 ? "it is empty" : `at its top are ${showNames(names.sort(), 10)}`;
  const hint =
    misspelt.length > 0
      ? `Rename ${showNames(misspelt)} to SKILL.md: other spellings are not read everywhere.`
      : "A skill is a folder with a SKILL.md; a pack has one or more of them.";
  return refuse("skill-missing", `the pack has no SKILL.md; ${there}`, hint);
}

function unnamed(problem: string): PackFailure {
  return refuse(
    "skill-invalid",
    `the skill at the root of the pack has no usable name: ${problem}`,
    'Give its SKILL.md a name and a description, or put it into a folder such as "pdf-tools".',
  );
}

/** Which of them is meant is decided by path. */
function sharedNames(skills: readonly Candidate[]): string[] {
  const groups = new Map<string, Candidate[]>();
  for (const skill of skills) {
    const key = skill.name.toLowerCase();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [skill]);
    else group.push(skill);
  }
  return Array.from(groups.values())
    .filter((group) => group.length > 1)
    .map((group) => {
      const [first] = group;
      const paths = showNames(group.map(({ path }) => path));
      return `${group.length} skills are named ${showName(first?.name ?? "")}: ${paths}`;
    });
}
