import { type Stats, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import type { RuleSettings } from "../format/draft.ts";
import { directorySource } from "../sources/directory-source.ts";
import { lookForSkill } from "../sources/look-for-skill.ts";
import type { SkillSource } from "../sources/skill-source.ts";
import { realFolder } from "./state-file.ts";

export interface DefaultSourceOptions {
  readonly cwd: string;
  readonly home?: string;
  /** Replaces the default project and user roots. */
  readonly skillRoots?: readonly string[];
  readonly enableProjectSkills?: boolean;
  readonly enableUserSkills?: boolean;
  readonly projectSkillsDir?: string;
  readonly userSkillsDir?: string;
  /** One more root, after the project's. */
  readonly dataDir?: string;
  readonly builtinDirectory?: string;
  readonly rules?: RuleSettings;
}

/** Folders of skills below a project or home, in order of precedence. */
export const ROOT_FOLDERS: readonly string[] = [
  ".agent/skills",
  ".agents/skills",
  ".claude/skills",
  ".botsharp/skills",
];

/** The roots in order of precedence: project, user, built-in. */
export function defaultSources(options: DefaultSourceOptions): SkillSource[] {
  const { cwd, skillRoots, builtinDirectory, rules } = options;
  const home = resolve(options.home ?? homedir());
  const project = projectFolder(cwd, home);
  const root = (path: string, label: string, configured: boolean) =>
    directorySource(expandHome(path, home, project), {
      label,
      configured,
      ...(label === "project" ? { project } : undefined),
      ...(rules === undefined ? undefined : { rules }),
    });
  const dataSources = options.dataDir === undefined ? [] : [root(options.dataDir, "project", true)];
  const sources =
    skillRoots === undefined
      ? [
          ...projectSources(options, project, home, root),
          ...dataSources,
          ...userSources(options, project, home, root),
        ]
      : [
          ...skillRoots.map((path) =>
            root(path, scopeOf(expandHome(path, home, project), home, project), true),
          ),
          ...dataSources,
        ];
  if (builtinDirectory !== undefined) sources.push(root(builtinDirectory, "builtin", false));
  return sources;
}

type MakeRoot = (path: string, label: string, configured: boolean) => SkillSource;

function projectSources(
  options: DefaultSourceOptions,
  project: string,
  home: string,
  root: MakeRoot,
): SkillSource[] {
  // In the home directory itself the skills are the user's.
  if (realFolder(project) === realFolder(home)) return [];
  const { enableProjectSkills = true, projectSkillsDir } = options;
  const folders =
    projectSkillsDir === undefined
      ? [...ROOT_FOLDERS, "skills"].map((folder) => join(project, folder))
      : [projectSkillsDir];
  if (!enableProjectSkills) {
    const reason = "the project's skills are switched off (enableProjectSkills)";
    return folders.map((folder) =>
      switchedOff(expandHome(folder, home, project), "project", reason),
    );
  }
  return folders.map((folder) => root(folder, "project", projectSkillsDir !== undefined));
}

function userSources(
  options: DefaultSourceOptions,
  project: string,
  home: string,
  root: MakeRoot,
): SkillSource[] {
  const { enableUserSkills = true, userSkillsDir } = options;
  const folders =
    userSkillsDir === undefined
      ? ROOT_FOLDERS.map((folder) => join(home, folder))
      : [userSkillsDir];
  if (!enableUserSkills) {
    const reason = "the user's skills are switched off (enableUserSkills)";
    return folders.map((folder) => switchedOff(expandHome(folder, home, project), "user", reason));
  }
  return folders.map((folder) => root(folder, "user", userSkillsDir !== undefined));
}

/** Gives nothing, and can tell somebody who misses one of its skills why. */
function switchedOff(root: string, source: string, reason: string): SkillSource {
  return {
    roots: [],
    scan: () => Promise.resolve({ skills: [], diagnostics: [] }),
    lookFor: (wanted) => lookForSkill(root, { ...wanted, source, reason }),
  };
}

/** The nearest folder upwards that is a project: it has `.agent` or is a repository. */
export function projectFolder(cwd: string, home: string = homedir()): string {
  const start = resolve(cwd);
  const realHome = realFolder(resolve(home));
  for (
    let folder = start;
    folder !== dirname(folder) && realFolder(folder) !== realHome;
    folder = dirname(folder)
  ) {
    if (isOurs(join(folder, ".agent")) || isOurs(join(folder, ".git"))) return folder;
  }
  return start;
}

/** There, and not planted by another user in a folder that all may write to. */
function isOurs(path: string): boolean {
  const stats = statIfThere(path);
  if (stats === undefined) return false;
  const user = process.getuid?.();
  return user === undefined || stats.uid === user || stats.uid === 0;
}

/** A link that leads to itself, or what may not be looked at, is as good as nothing. */
function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function scopeOf(path: string, home: string, project: string): "project" | "user" {
  const real = realFolder(path);
  const isInside = (folder: string) => `${real}${sep}`.startsWith(`${realFolder(folder)}${sep}`);
  return isInside(project) || !isInside(home) ? "project" : "user";
}

function expandHome(path: string, home: string, project: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(project, path);
}
