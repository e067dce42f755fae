import { statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  nearNames,
  projectFolder,
  checkOptions,
  type OptionKinds,
  oneOf,
} from "@skillwright/core/internal";
import { type Client, clientFolder, CLIENTS, clientOf } from "../clients/clients.ts";
import type { InstallScope } from "../install-scope.ts";
import type { PackFailure } from "../pack-failure.ts";
import { skillFolderProblem } from "../lock/relative-path-problem.ts";
import { KNOWN_ROOTS, lockedRoot } from "./locked-root.ts";
import { realPathOf } from "./real-path-of.ts";
import { skillAbove } from "./skill-above.ts";

export interface ScopeRequest {
  readonly cwd: string;
  readonly home?: string;
  /** Where clients may name their own folders, as `CLAUDE_CONFIG_DIR` does; default: `process.env`. */
  readonly env?: Environment;
  /** Where to install; the project unless told otherwise. */
  readonly source?: "project" | "user" | undefined;
  /** `--target`, whichever folder it is. */
  readonly target?: string | undefined;
  /** `--agent`: the folder that this client reads; see `CLIENTS`. */
  readonly agent?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

export type ResolvedScope = ({ readonly ok: true } & InstallScope) | PackFailure;

const LOCK_FILE = ".agent/skills.lock.json";
const SHARED_LOCK_FILE = "skills-lock.json";

const OPTIONS: OptionKinds<ScopeRequest> = {
  cwd: "string",
  home: "string",
  env: "object",
  source: oneOf("project", "user"),
  target: "string",
  agent: "string",
};

/**
 * Decides where skills go and which lock describes them.
 *
 * - Project: `.agent/skills` of the project that core finds from `cwd` upwards. Where that is
 *   missing and the project has `.agents/skills` or `.claude/skills`, skills go there, so that the
 *   client that is in use sees them. Where the lock has all its skills in one of the three, it is
 *   that one: in a fresh clone the folder may not be there yet. The lock is `.agent/skills.lock.json` in either case.
 * - User: the same below the home folder. In the home folder itself there is no project: what is
 *   installed there is the user's, and asking for the project is refused.
 * - A target inside the project is a root of the project: its skills stand in the project's lock.
 *   Any other target is a base of its own with `skills.lock.json` inside it.
 *
 * Only a project has the shared lock, since other clients look for it nowhere else. Nothing is made
 * here; folders and links are only looked at.
 */
export function resolveScope(request: ScopeRequest): ResolvedScope {
  checkOptions("resolveScope", request, OPTIONS, ["cwd"]);
  const home = resolve(request.home ?? homedir());
  const project = projectFolder(request.cwd, home);
  const isHome = realPathOf(project) === realPathOf(home);
  const { source, target } = request;
  if (request.agent !== undefined) {
    const label = source ?? (isHome ? "user" : "project");
    const client = clientOf(request.agent);
    if (client === undefined) return unknownAgent(request.agent);
    if (label === "project") return scopeAt(label, project, join(project, client.project[0]));
    return userScope(client, home, request.env ?? process.env);
  }
  if (target !== undefined)
    return targetScope(target, request.cwd, home, isHome ? undefined : project);
  if (source === "user") return scopeAt("user", home);
  if (!isHome) return scopeAt("project", project);
  if (source === undefined) return scopeAt("user", home);
  return {
    ok: false,
    code: "source-invalid",
    message: "the home folder is no project",
    hint: "go to a project, or install for the user with --source user",
  };
}

function scopeAt(label: "project" | "user", base: string, root = rootBelow(base)): ResolvedScope {
  const shared = label === "project" ? { sharedLockFile: join(base, SHARED_LOCK_FILE) } : undefined;
  return { ok: true, label, base, root, lockFile: join(base, LOCK_FILE), ...shared };
}

function unknownAgent(id: string): PackFailure {
  const ids = CLIENTS.map((known) => known.id);
  const near = nearNames(id, ids);
  const message = `no agent ${JSON.stringify(id)} is known`;
  return { ok: false, code: "source-invalid", message, candidates: near.length > 0 ? near : ids };
}

function userScope(client: Client, home: string, env: Environment): ResolvedScope {
  if (client.user === undefined) {
    const message = `${client.name} has no folder for a user's skills`;
    return { ok: false, code: "source-invalid", message, hint: "install into a project" };
  }
  const root = resolve(home, clientFolder(client, client.user, home, env));
  // A lock covers what is below its base: a folder elsewhere has a lock of its own.
  return pathInside(home, root) === undefined ? ownScope(root) : scopeAt("user", home, root);
}

function ownScope(root: string): ResolvedScope {
  return { ok: true, label: "target", base: root, root, lockFile: join(root, "skills.lock.json") };
}

/** The agents that a person uses here: their folder stands in the project or the home folder. */
export function detectedAgents(
  cwd: string,
  home: string,
  env: Environment = process.env,
): readonly string[] {
  const project = projectFolder(cwd, home);
  return CLIENTS.filter((client) =>
    client.marks.some(
      (mark) => isFolder(clientFolder(client, mark, home, env)) || isFolder(join(project, mark)),
    ),
  ).map(({ id }) => id);
}

function rootBelow(base: string): string {
  const standing = () => KNOWN_ROOTS.find((folder) => isFolder(join(base, folder)));
  const root = lockedRoot(base, join(base, LOCK_FILE)) ?? standing() ?? KNOWN_ROOTS[0];
  return join(base, ...root.split("/"));
}

function targetScope(
  target: string,
  cwd: string,
  home: string,
  project: string | undefined,
): ResolvedScope {
  if (target === "" || target.includes("\0")) return badTarget(target, "is not a path");
  const expanded = /^~(?=[/\\]|$)/.test(target) ? join(home, target.slice(1)) : target;
  const root = resolve(cwd, expanded);
  if (root === resolve(root, "..")) return badTarget(target, "is the root of the file system");
  if (isSomethingElse(root)) return badTarget(target, "is not a folder");
  const inside = project === undefined ? undefined : pathInside(project, root);
  if (project !== undefined && inside !== undefined) {
    const problem = inside === "" ? undefined : skillFolderProblem(inside);
    if (problem !== undefined) return badTarget(target, problem);
    const skill = skillAbove(realPathOf(root), realPathOf(project));
    if (skill !== undefined) return insideSkill(target, skill);
    return scopeAt("project", project, join(project, inside));
  }
  const skill = skillAbove(realPathOf(root));
  if (skill !== undefined) return insideSkill(target, skill);
  return ownScope(root);
}

/** With `/`; undefined for what is not inside. */
function pathInside(folder: string, path: string): string | undefined {
  const inside = relative(realPathOf(folder), realPathOf(path));
  if (isAbsolute(inside) || inside.split(sep)[0] === "..") return undefined;
  return inside.split(sep).join("/");
}

function insideSkill(target: string, skill: string): PackFailure {
  return badTarget(target, `is or lies in the skill ${JSON.stringify(skill)}`);
}

function badTarget(target: string, problem: string): PackFailure {
  return {
    ok: false,
    code: "root-unwritable",
    message: `the target ${JSON.stringify(target)} ${problem}`,
    hint: "name a folder; it is made when it is missing",
  };
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

function isSomethingElse(path: string): boolean {
  return statOf(path)?.isDirectory() === false;
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
