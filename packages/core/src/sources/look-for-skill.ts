import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { skillFileMissing, skillFileUnreadable } from "../directory/directory-rules.ts";
import { SKIPPED_FOLDERS } from "../directory/skill-directory.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { createIgnoreFilter, type IgnoreFilter } from "./list-folder.ts";
import { readHeadText } from "./read-head-text.ts";
import { rootDiagnostic } from "./scan-rules.ts";
import type { MissedSkill, WantedSkill } from "./skill-source.ts";

interface LookOptions extends WantedSkill {
  readonly source: string;
  readonly project?: string | undefined;
  /** Why nothing below this root was searched. */
  readonly reason?: string;
}

interface Folder {
  readonly directory: string;
  /** From the root, with `/`. */
  readonly path: string;
  readonly depth: number;
  /** Why the scan did not come here. */
  readonly reason: string | undefined;
}

const SEARCHED_DEPTH = 6;
/** What one look may cost. */
const MAX_ENTRIES = 50_000;
const MAX_DEPTH = 16;
const MAX_FOUND = 20;

/**
 * Where a skill might be that the scan did not give: searches also what a scan leaves out, and says
 * why it was left out. Only for a person who asks; it is slow, and bounded. Never throws.
 */
export function lookForSkill(root: string, options: LookOptions): MissedSkill[] {
  return new SkillLook(root, options).search();
}

class SkillLook {
  readonly #root: string;
  readonly #options: LookOptions;
  readonly #ignore: IgnoreFilter | undefined;
  readonly #found: MissedSkill[] = [];
  readonly #pending: Folder[];
  /** Real paths of folders behind links, which may lead in circles. */
  readonly #visited = new Set<string>();

  constructor(root: string, options: LookOptions) {
    const { project, reason } = options;
    this.#root = root;
    this.#options = options;
    this.#ignore = project === undefined ? undefined : createIgnoreFilter(project, root);
    this.#pending = [{ directory: root, path: "", depth: 0, reason }];
  }

  search(): MissedSkill[] {
    let entries = 0;
    for (const folder of this.#pending) {
      const children = childrenOf(folder.directory).slice(0, MAX_ENTRIES - entries);
      entries += children.length;
      if (folder.reason === undefined && children.some(({ name }) => name === ".gitignore")) {
        this.#ignore?.enter(folder.path);
      }
      for (const child of children) this.#lookAt(child, folder);
      if (entries >= MAX_ENTRIES || this.#found.length >= MAX_FOUND) break;
    }
    return this.#found.slice(0, MAX_FOUND);
  }

  #lookAt(child: Dirent, above: Folder): void {
    const isLink = child.isSymbolicLink();
    if (!isLink && !child.isDirectory()) return;
    const { name } = child;
    const directory = `${above.directory}/${name}`;
    const path = above.path === "" ? name : `${above.path}/${name}`;
    const depth = above.depth + 1;
    const folder = { directory, path, depth, reason: above.reason ?? this.#reasonOf(path, above) };
    const isDirectory = isFolder(directory);
    if (isDirectory && this.#options.known.has(directory)) {
      this.#goOn({ ...folder, reason: insideOf(directory) });
      return;
    }
    const hasSkillFile = isDirectory && isThere(`${directory}/SKILL.md`);
    if (this.#isMeant(folder, name, hasSkillFile)) {
      this.#report(folder, defaultReason(isDirectory, hasSkillFile, isLink));
    }
    if (!isDirectory) return;
    if (!isLink) this.#goOn(folder);
    else if (this.#isNew(directory)) {
      this.#goOn({ ...folder, reason: folder.reason ?? behindLink(directory) });
    }
  }

  /** Why the scan did not go from a searched folder into this one. */
  #reasonOf(path: string, { depth }: Folder): string | undefined {
    const name = path.slice(path.lastIndexOf("/") + 1);
    if (SKIPPED_FOLDERS.has(name)) {
      return `it lies in ${this.#root}/${path}; folders of the name \`${name}\` are not searched`;
    }
    if (this.#ignore?.ignores(path) === true) {
      return `a .gitignore of the project ignores ${this.#root}/${path}`;
    }
    if (depth < SEARCHED_DEPTH) return undefined;
    return `it lies more than ${SEARCHED_DEPTH} levels below ${this.#root}, deeper than the search goes`;
  }

  #isMeant({ directory, path }: Folder, name: string, hasSkillFile: boolean): boolean {
    const { isMeant } = this.#options;
    if (isMeant(name) || isMeant(path)) return true;
    const declared = hasSkillFile ? declaredName(`${directory}/SKILL.md`) : undefined;
    return declared !== undefined && isMeant(declared);
  }

  #report({ directory, reason }: Folder, otherwise: string): void {
    const { source } = this.#options;
    this.#found.push({ path: directory, source, reason: reason ?? otherwise });
  }

  #goOn(folder: Folder): void {
    if (folder.depth < MAX_DEPTH) this.#pending.push(folder);
  }

  #isNew(link: string): boolean {
    try {
      const real = realpathSync(link);
      if (this.#visited.has(real)) return false;
      this.#visited.add(real);
      return real !== realpathSync(this.#root);
    } catch {
      return false;
    }
  }
}

function insideOf(skill: string): string {
  return `it lies inside of the skill in ${skill} and is one of its files; move it beside that skill`;
}

function behindLink(link: string): string {
  return `it lies behind the link ${link}, which is not searched; name that folder as a root, or link the skill's own folder`;
}

function defaultReason(isDirectory: boolean, hasSkillFile: boolean, isLink: boolean): string {
  if (!isDirectory) return "it is a link that leads to no folder";
  if (!hasSkillFile) return `it is a ${isLink ? "link to a " : ""}folder without a SKILL.md`;
  return "it was not there at the last look, was filtered out, or lies behind a limit of the search";
}

/** As far as it can be seen without a parser. */
function declaredName(file: string): string | undefined {
  const head = readHeadText(file);
  const value = head.ok ? /^name:([^\n]*)/m.exec(head.text)?.[1]?.trim() : undefined;
  return value === undefined ? undefined : (/^(["'])(.*)\1$/s.exec(value)?.[2] ?? value);
}

function childrenOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Why a SKILL.md that is there cannot be read, from the system's code. */
export function unreadableSkillFile(file: string, code: string): Diagnostic {
  const message =
    code === "ELOOP"
      ? "SKILL.md is a link; links inside a skill are refused"
      : `SKILL.md cannot be read: ${code}`;
  return rootDiagnostic(skillFileUnreadable, file, message);
}

/** A file that only looks like a SKILL.md. */
export function misnamedSkillFile(file: string, name: string): Diagnostic {
  const message = `the file is named \`${name}\`, not \`SKILL.md\``;
  return rootDiagnostic(skillFileMissing, file, message);
}

/** The name of a file that only looks like a SKILL.md. */
export function similarFile(folder: string): string | undefined {
  try {
    return nearSkillFile(readdirSync(folder));
  } catch {
    return undefined;
  }
}

export function nearSkillFile(names: readonly string[]): string | undefined {
  return names.find((name) => name.toLowerCase() === "skill.md");
}
