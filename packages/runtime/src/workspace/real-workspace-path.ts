import { join } from "node:path";
import { resolveInside } from "./confinement/resolve-inside.ts";
import type { WorkspaceFailure } from "./confinement/workspace-failure.ts";
import { openWorkspace } from "./workspace.ts";
import type { WorkspaceOptions } from "./workspace-options.ts";

/**
 * Where a path of a call really leads, absolute, for a policy that has rules about places. It only
 * tells; the tools do not rely on it.
 */
export async function realWorkspacePath(
  options: Pick<WorkspaceOptions, "root" | "trash">,
  path: string,
): Promise<{ readonly ok: true; readonly path: string } | WorkspaceFailure> {
  const resolved = await resolveInside(path, openWorkspace(options));
  return resolved.ok ? { ok: true, path: join(resolved.root, ...resolved.real) } : resolved;
}
