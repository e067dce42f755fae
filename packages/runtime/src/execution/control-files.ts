import { isBelow } from "@skillwright/core/internal";
import { lstatSync, mkdirSync, readlinkSync, realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import {
  CONTROL_FILES,
  CONTROL_FOLDERS,
  controlFolderOf,
  REPOSITORY_HEAD,
  SKILL_ROOT,
} from "../workspace/confinement/control-names.ts";
import {
  isBareRepository,
  type NestedControl,
  nestedControls,
} from "../workspace/confinement/nested-controls.ts";
import { skillFilesIn } from "../workspace/confinement/skill-files.ts";
import { executionFailure, type ExecutionFailure } from "./executor.ts";

/**
 * Folders that tools read without a person asking: a shell prompt runs git, an agent loads its
 * configuration. While a script runs, none may appear even for a moment.
 */
const READ_AT_ONCE: ReadonlySet<string> = new Set([
  ".git",
  ".agent",
  ".agents",
  ".claude",
  ".botsharp",
]);

const CONTROL_NAMES = [...CONTROL_FOLDERS, ...CONTROL_FILES, REPOSITORY_HEAD];

export interface WritablePlaces {
  readonly ok: true;
  /** Real paths that may be written. */
  readonly writable: readonly string[];
  /** Existing control files in them, which stay as they are. */
  readonly protectedPaths: readonly string[];
  /** Control folders that are missing, or stand there empty for another run: to be covered. */
  readonly placeholders: readonly string[];
  /** Missing control files; if one is there afterwards, the script made it. */
  readonly absent: readonly string[];
  /** Control files that are links, which nothing can be mounted over. */
  readonly links: readonly ControlLink[];
  /** Those of `protectedPaths` in folders that a script could move, as they were. */
  readonly nested: readonly NestedControl[];
  /** Where skills are found and none is; whatever is one afterwards, the script made. */
  readonly skillRoot?: string;
  /** What cannot be held, as in a receipt. */
  readonly unenforced: readonly string[];
}

export const NO_PLACES: WritablePlaces = {
  ok: true,
  writable: [],
  protectedPaths: [],
  placeholders: [],
  absent: [],
  links: [],
  nested: [],
  unenforced: [],
};

interface ControlLink {
  readonly path: string;
  readonly target: string;
}

/**
 * Checks what may be written below a working directory, given by its real path. Another run's
 * placeholder has to stay for this run too.
 */
export function writablePlaces(
  cwd: string,
  given: readonly string[] = [],
  isPlaceholder: (path: string) => boolean = () => false,
): WritablePlaces | ExecutionFailure {
  if (given.length === 0) return NO_PLACES;
  const control = controlFolderOf(cwd) ?? (isBareRepository(cwd) ? "a repository" : undefined);
  if (control !== undefined) {
    const message = `nothing can be writable in ${JSON.stringify(cwd)}: it lies in ${control}, which tells other programs what to do`;
    return executionFailure("writable-refused", message, "Start in the folder of the project.");
  }
  const writable: string[] = [];
  for (const place of given) {
    const real = realPlace(cwd, place);
    if (typeof real !== "string") return real;
    writable.push(real);
  }
  const places = writable
    .filter((path) => lstatSync(path).isDirectory())
    .flatMap((path) => CONTROL_NAMES.map((name) => ({ name, path: join(path, name) })));
  const exists = new Set(places.filter(({ path }) => isThere(path)));
  const missing = places.filter((place) => !exists.has(place));
  const links = [...exists].filter(({ path }) => lstatSync(path).isSymbolicLink());
  const unsafe = links.find(({ name }) => READ_AT_ONCE.has(name));
  if (unsafe !== undefined) {
    const message = `${JSON.stringify(unsafe.path)} is a link, which cannot be kept from being replaced`;
    return executionFailure("writable-refused", message, "Name only the folders that are needed.");
  }
  const walks = writable.map(nestedControls);
  const nested = walks.flatMap(({ found }) => found);
  const nestedLinks = walks.flatMap((walk) => walk.links);
  const existing = [
    ...[...exists].filter((place) => !links.includes(place)).map(({ path }) => path),
    ...nested.map(({ path }) => path),
  ];
  const skills = skillPlaces(cwd, writable);
  return {
    ok: true,
    writable,
    protectedPaths: [...new Set([...existing, ...skills.protectedPaths])],
    placeholders: [
      ...missing.filter(({ name }) => READ_AT_ONCE.has(name)).map(({ path }) => path),
      ...existing.filter(isPlaceholder),
    ],
    absent: [
      ...missing.filter(({ name }) => !READ_AT_ONCE.has(name)).map(({ path }) => path),
      ...skills.absent,
    ],
    links: [...new Set([...links.map(({ path }) => path), ...nestedLinks, ...skills.links])].map(
      (path) => ({ path, target: readlinkSync(path) }),
    ),
    nested,
    ...(skills.root === undefined ? {} : { skillRoot: skills.root }),
    unenforced: walks.every(({ isComplete }) => isComplete) ? [] : ["controlFiles"],
  };
}

interface SkillPlaces {
  readonly protectedPaths: readonly string[];
  readonly links: readonly string[];
  readonly absent: readonly string[];
  /** When it holds no skill yet. */
  readonly root?: string;
}

/** The project's own skills, which are trusted with it. */
function skillPlaces(cwd: string, writable: readonly string[]): SkillPlaces {
  const root = join(cwd, SKILL_ROOT);
  const isWritable = (path: string) => writable.some((place) => isBelow(place, path));
  const isLink = lstatSync(root, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink && skillFilesIn(root).length === 0) {
    return { protectedPaths: [], links: [], absent: [], root };
  }
  const links = isLink && isWritable(root) ? [root] : [];
  try {
    const real = realpathSync(root);
    return { protectedPaths: isWritable(real) ? [real] : [], links, absent: [] };
  } catch {
    // A link to a folder that the script could make.
    const target = resolve(cwd, readlinkSync(root));
    return { protectedPaths: [], links, absent: isWritable(target) ? [target] : [] };
  }
}

/** Makes the folders that cover missing control folders. They are empty and ours. */
export function makePlaceholders(paths: readonly string[]): void {
  for (const path of paths) mkdirSync(path, { recursive: true, mode: 0o755 });
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function realPlace(cwd: string, place: string): string | ExecutionFailure {
  const path = resolve(cwd, place);
  const refuse = (why: string, hint?: string) =>
    executionFailure(
      "writable-refused",
      `${JSON.stringify(place)} cannot be writable: ${why}`,
      hint,
    );
  if (place === "" || place.includes("\0") || !isBelow(cwd, path)) {
    return refuse("it is not below the working directory");
  }
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return refuse("it does not exist", "Create it first.");
  }
  if (real !== path) return refuse("it is a link or lies behind one");
  const control = relative(cwd, real)
    .split(sep)
    .find((segment) => CONTROL_NAMES.some((name) => name.toLowerCase() === segment.toLowerCase()));
  if (control !== undefined) return refuse(`${control} tells other programs what to do`);
  const root = join(cwd, SKILL_ROOT);
  const isInSkills = isBelow(root, real) && skillFilesIn(root).length > 0;
  return isInSkills ? refuse("it holds skills, which are trusted with the project") : real;
}
