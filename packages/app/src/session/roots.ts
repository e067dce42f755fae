import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve } from "node:path";
import { ROOT_FOLDERS } from "@skillwright/core/internal";
import { AppFailure } from "../failure.ts";
import type { AppHost, PlaceOptions } from "../host.ts";

/** The existing roots that `--root` and `--source` select; the project's by default. */
export async function existingRoots(
  { root, source = "project" }: PlaceOptions,
  { cwd, env }: AppHost,
): Promise<string[]> {
  if (root !== undefined) return root.map((folder) => resolve(cwd, folder));
  if (source !== "project" && source !== "user") {
    throw new AppFailure("usage", `there is no source "${source}" with skills to check`, {
      hint: "use --source project or --source user",
    });
  }
  const base = source === "user" ? (env["HOME"] ?? homedir()) : cwd;
  const candidates = ROOT_FOLDERS.map((folder) => join(base, folder));
  const existing = await filterAsync(candidates, isFolder);
  if (existing.length > 0 || source === "user") return existing;
  return filterAsync([join(cwd, "skills")], isFolder);
}

/**
 * The folder that a path given by the user must really lie in before anything is written there. A
 * path in the working directory may be a link that came with the project; any other was meant as it is.
 */
export function namedBase(path: string, { cwd }: Pick<AppHost, "cwd">): string {
  const way = relative(cwd, path);
  return isAbsolute(way) || way.startsWith("..") ? path : cwd;
}

async function isFolder(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isDirectory() === true;
}

async function filterAsync<T>(items: readonly T[], keep: (item: T) => Promise<boolean>) {
  const kept = await Promise.all(items.map(keep));
  return items.filter((_, i) => kept[i]);
}
