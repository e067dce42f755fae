import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import type { RuleSettings } from "../format/rules/rule.ts";
import { directorySource } from "../sources/directory-source.ts";
import type { SkillSource } from "../sources/skill-source.ts";

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
  const { cwd, home = homedir(), skillRoots, builtinDirectory, rules } = options;
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
          ...userSources(options, home, root),
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
  if (options.enableProjectSkills === false || project === home) return [];
  if (options.projectSkillsDir !== undefined)
    return [root(options.projectSkillsDir, "project", true)];
  const folders = [...ROOT_FOLDERS, "skills"].map((folder) => join(project, folder));
  return folders.map((folder) => root(folder, "project", false));
}

function userSources(options: DefaultSourceOptions, home: string, root: MakeRoot): SkillSource[] {
  if (options.enableUserSkills === false) return [];
  if (options.userSkillsDir !== undefined) return [root(options.userSkillsDir, "user", true)];
  const folders = ROOT_FOLDERS.map((folder) => join(home, folder));
  return folders.map((folder) => root(folder, "user", false));
}

/** The nearest folder upwards that is a project: it has `.agent` or is a repository. */
export function projectFolder(cwd: string, home: string = homedir()): string {
  const start = resolve(cwd);
  for (
    let folder = start;
    folder !== dirname(folder) && folder !== home;
    folder = dirname(folder)
  ) {
    if (isOurs(join(folder, ".agent")) || isOurs(join(folder, ".git"))) return folder;
  }
  return start;
}

/** There, and not planted by another user in a folder that all may write to. */
function isOurs(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  const user = process.getuid?.();
  return user === undefined || stats.uid === user || stats.uid === 0;
}

function scopeOf(path: string, home: string, project: string): "project" | "user" {
  const isInside = (folder: string) => path === folder || path.startsWith(`${folder}${sep}`);
  return isInside(project) || !isInside(home) ? "project" : "user";
}

function expandHome(path: string, home: string, project: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(project, path);
}
