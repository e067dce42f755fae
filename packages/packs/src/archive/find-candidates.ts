import {
  nameProblem,
  readSkillMetadata,
  TimeSlice,
  openConfinedSync,
  quoteName,
  quoteNames,
  readUpTo,
  checkOptions,
  type OptionKinds,
} from "@skillwright/core/internal";
import { closeSync, type Dirent, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { byteOrder } from "../byte-order.ts";
import type { Candidate } from "../fetched-pack.ts";
import { STATE_FOLDER } from "../install-scope.ts";
import type { PackFailure } from "../pack-failure.ts";
import { canceled, refuse } from "./refuse.ts";

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

const OPTIONS: OptionKinds<FindCandidatesOptions> = { rootName: "string", signal: "object" };

export async function findCandidates(
  given: string,
  options: FindCandidatesOptions = {},
): Promise<FoundCandidates | PackFailure> {
  checkOptions("findCandidates", options, OPTIONS);
  const { rootName, signal } = options;
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
    names.length === 0 ? "it is empty" : `at its top are ${quoteNames(names.sort(), 10)}`;
  const hint =
    misspelt.length > 0
      ? `Rename ${quoteNames(misspelt)} to SKILL.md: other spellings are not read everywhere.`
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
      const paths = quoteNames(group.map(({ path }) => path));
      return `${group.length} skills are named ${quoteName(first?.name ?? "")}: ${paths}`;
    });
}

interface Search {
  readonly paths: readonly string[];
  /** Files that would be a SKILL.md if they were spelt so. */
  readonly misspelt: readonly string[];
  readonly notes: readonly string[];
}

const MAX_DEPTH = 6;
const MAX_FOLDERS_WITHOUT_SKILL = 2000;
const SKIPPED: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  STATE_FOLDER,
  ".svn",
  ".venv",
  "__MACOSX",
  "__pycache__",
  "node_modules",
  "venv",
]);

/** Folders with a SKILL.md, in byte order of their paths; what is below them is theirs. */
async function searchFolders(
  directory: string,
  signal: AbortSignal | undefined,
): Promise<Search | PackFailure> {
  const paths: string[] = [];
  const misspelt: string[] = [];
  const tooDeep: string[] = [];
  const pending = [{ path: "", depth: 0 }];
  const slice = new TimeSlice();
  let withoutSkill = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (signal?.aborted === true) return canceled();
    if (slice.isOver) await slice.rest();
    const { path, depth } = folder;
    const children = readChildren(join(directory, path));
    if (children === undefined) {
      return refuse("source-unreachable", `the folder ${quoteName(path)} cannot be read`);
    }
    const below = (name: string) => (path === "" ? name : `${path}/${name}`);
    if (children.some((child) => child.name === "SKILL.md" && child.isFile())) {
      paths.push(path);
      continue;
    }
    const spelling = children.find(({ name }) => name.toLowerCase() === "skill.md");
    if (spelling !== undefined) misspelt.push(below(spelling.name));
    if (++withoutSkill > MAX_FOLDERS_WITHOUT_SKILL) {
      const message = `the pack has more than ${MAX_FOLDERS_WITHOUT_SKILL} folders without a skill`;
      return refuse("limit-exceeded", message);
    }
    for (const child of children) {
      if (!child.isDirectory() || SKIPPED.has(child.name)) continue;
      if (depth < MAX_DEPTH) pending.push({ path: below(child.name), depth: depth + 1 });
      else tooDeep.push(below(child.name));
    }
  }
  const notes = [
    ...(misspelt.length > 0 && paths.length > 0
      ? [`not taken, since the name must be SKILL.md: ${quoteNames(misspelt)}`]
      : []),
    ...(tooDeep.length > 0
      ? [`not searched, being more than ${MAX_DEPTH} folders deep: ${quoteNames(tooDeep)}`]
      : []),
  ];
  return { paths: paths.sort(byteOrder), misspelt, notes };
}

function readChildren(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

/** The most of a SKILL.md that is read for its name. */
const MAX_HEAD_BYTES = 32 * 1024;
const MAX_NAME_LENGTH = 64;

/**
 * The name in a skill's frontmatter if it can be one, else the given one; without that, what is
 * wrong. `folder` is a real path.
 */
function candidateName(
  folder: string,
  otherwise: string | undefined,
): { readonly name: string } | { readonly problem: string } {
  const text = readHead(folder);
  const { metadata, diagnostics } = readSkillMetadata(text ?? "");
  const name = metadata?.name ?? "";
  if (nameProblem(name) === undefined && name.length <= MAX_NAME_LENGTH) return { name };
  if (otherwise !== undefined && otherwise !== "") return { name: otherwise };
  return { problem: diagnostics[0]?.message ?? "its SKILL.md cannot be read" };
}

function readHead(folder: string): string | undefined {
  const opened = openConfinedSync(folder, ["SKILL.md"]);
  if (!opened.ok) return undefined;
  try {
    return readUpTo(opened.descriptor, MAX_HEAD_BYTES, opened.stats.size).toString("utf8");
  } finally {
    closeSync(opened.descriptor);
  }
}
