import { isAbsolute, join, resolve } from "node:path";
import { createTrustDecision, type RegistryOptions } from "@skillwright/core/internal";
import { isTrustManaged, NO_TRUST, type Session } from "./session.ts";

/** Which skills count as trusted: by the folder, by their content, or because the user named them. */
export function trustDecision(
  session: Session,
  flagRoots: readonly string[],
): Promise<NonNullable<RegistryOptions["isTrusted"]>> {
  const { projectTrusted, trust, project } = session;
  const isManaged = isTrustManaged(session);
  return createTrustDecision({
    store: isManaged ? NO_TRUST : trust,
    project,
    projectTrusted,
    trustedRoots: new Set(isManaged ? [] : [...flagRoots, ...rootsTheUserNamed(session)]),
    ...(isManaged && { trustedSources: new Set(["builtin"]) }),
    trustedFolders:
      session.configuration.values.trust.roots?.flatMap((folder) =>
        usersOwnPath(folder, session),
      ) ?? [],
  });
}

/** Roots by the user's own configuration. */
function rootsTheUserNamed(session: Session): string[] {
  const { values, origin } = session.configuration;
  const { skillTools, workspace } = values;
  const named: readonly (readonly [path: string, roots: readonly (string | undefined)[]])[] = [
    ["skill_roots", values.skill_roots ?? []],
    ["skillTools.projectSkillsDir", [skillTools.projectSkillsDir]],
    ["skillTools.dataDir", [skillTools.dataDir]],
    ["workspace.skillsDirectory", [workspace.skillsDirectory]],
  ];
  return named
    .filter(([path]) => !["project", "appsettings"].includes(origin(path).layer))
    .flatMap(([, roots]) => roots)
    .flatMap((root) => (root === undefined ? [] : usersOwnPath(root, session)));
}

/**
 * A relative path leads into whatever project is open, so it is not the user who says what is in it.
 */
function usersOwnPath(path: string, session: Session): string[] {
  return isAbsolute(path) || isInHome(path) ? [fullPath(path, session)] : [];
}

/** Relative paths count from the project; an empty one is none. */
export function fullPath(path: string, { home, project }: Session): string {
  if (path === "") return "";
  return isInHome(path) ? join(home, path.slice(1)) : resolve(project, path);
}

function isInHome(path: string): boolean {
  return path === "~" || path.startsWith("~/");
}
