import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
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

const ROOT_FOLDERS = [".agent/skills", ".agents/skills", ".claude/skills"];

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
  const sources =
    skillRoots === undefined
      ? [...projectSources(options, project, root), ...userSources(options, home, root)]
      : skillRoots.map((path) =>
          root(path, isBelow(expandHome(path, home, project), home, project), true),
        );
  if (options.dataDir !== undefined) sources.push(root(options.dataDir, "project", true));
  if (builtinDirectory !== undefined) sources.push(root(builtinDirectory, "builtin", false));
  return sources;
}

type MakeRoot = (path: string, label: string, configured: boolean) => SkillSource;

function projectSources(
  options: DefaultSourceOptions,
  project: string,
  root: MakeRoot,
): SkillSource[] {
  if (options.enableProjectSkills === false) return [];
  if (options.projectSkillsDir !== undefined)
    return [root(options.projectSkillsDir, "project", true)];
  const folders = [...ROOT_FOLDERS, ".botsharp/skills", "skills"].map((folder) =>
    join(project, folder),
  );
  return folders.map((folder) => root(folder, "project", false));
}

function userSources(options: DefaultSourceOptions, home: string, root: MakeRoot): SkillSource[] {
  if (options.enableUserSkills === false) return [];
  if (options.userSkillsDir !== undefined) return [root(options.userSkillsDir, "user", true)];
  const folders = [...ROOT_FOLDERS, ".botsharp/skills"].map((folder) => join(home, folder));
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
    if (existsSync(join(folder, ".agent")) || existsSync(join(folder, ".git"))) return folder;
  }
  return start;
}

function isBelow(path: string, home: string, project: string): string {
  if (path.startsWith(`${project}/`)) return "project";
  return path.startsWith(`${home}/`) ? "user" : "project";
}

function expandHome(path: string, home: string, project: string): string {
  return path === "~" || path.startsWith("~/") ? join(home, path.slice(1)) : resolve(project, path);
}
