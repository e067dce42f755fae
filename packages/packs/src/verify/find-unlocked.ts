import { type Dirent, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { findSkills } from "@skillwright/core/internal";
import { type InstallScope, STATE_FOLDER } from "../install-scope.ts";
import type { LockFile } from "../lock/lock-file.ts";
import { compareFolder } from "./compare-folder.ts";
import type { SkillPlaces } from "./skill-places.ts";
import type { VerifiedSkill, VerifyProblem } from "./verified-skill.ts";

const SKIPPED: ReadonlySet<string> = new Set([STATE_FOLDER, ".git", "node_modules"]);

/** The skills below the root of a scope that its lock does not know. */
export async function findUnlocked(
  scope: InstallScope,
  lock: LockFile,
  places: SkillPlaces,
  signal?: AbortSignal,
): Promise<{ readonly skills: VerifiedSkill[]; readonly problems: VerifyProblem[] }> {
  const skills: VerifiedSkill[] = [];
  const problems: VerifyProblem[] = [];
  const root = pathOf(scope.root);
  for (const child of childrenOfRoot()) {
    const path = root === "" ? child.name : `${root}/${child.name}`;
    if (SKIPPED.has(child.name) || Object.hasOwn(lock.skills, path)) continue;
    const directory = join(scope.root, child.name);
    if (child.isSymbolicLink() && leadsToSkill(directory)) await add(directory);
    if (!child.isDirectory()) continue;
    const { directories, unfinished } = await findSkills(directory);
    for (const found of directories) await add(found);
    for (const { directory: folder, reason } of unfinished) unreadable(pathOf(folder), reason);
  }
  return { skills, problems };

  /** A root that leads out of the base is not searched; one that nobody has made holds nothing. */
  function childrenOfRoot(): readonly Dirent[] {
    const children = places.children(root);
    if (!("kind" in children)) return children;
    if (children.kind === "refused") {
      problems.push({ code: children.code, path: root, message: children.message });
    }
    return [];
  }

  async function add(directory: string): Promise<void> {
    const path = pathOf(directory);
    if (Object.hasOwn(lock.skills, path)) return;
    const place = places.find(path);
    const look =
      place.kind === "folder" ? await compareFolder(place.directory, path, {}, signal) : undefined;
    problems.push(...(look?.problems ?? []));
    const { files = [], digest = "" } = look ?? {};
    skills.push({ name: basename(directory), digest, path, status: "unlocked", files });
  }

  function unreadable(path: string, reason: string): void {
    problems.push({ code: "unreadable", path, message: `${path} was not searched: ${reason}` });
  }

  function pathOf(directory: string): string {
    return relative(scope.base, directory).split(sep).join("/");
  }
}

/** Only asks; nothing behind a link is read. */
function leadsToSkill(link: string): boolean {
  try {
    return statSync(join(link, "SKILL.md"), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
