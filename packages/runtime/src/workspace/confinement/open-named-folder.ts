import { type BigIntStats, lstatSync, mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { type FolderProblem, folderProblem } from "./folder-problem.ts";
import type { OpenedFolder } from "./opened-folder.ts";

/** For systems where a folder can only be reached by its name. */
export function openNamedFolder(
  root: string,
  segments: readonly string[],
  create: boolean,
): OpenedFolder {
  const made: string[] = [];
  const undoMade = (): void => {
    for (const path of made.toReversed()) {
      try {
        rmdirSync(path);
      } catch {
        return;
      }
    }
  };
  const paths = [root, ...segments.map((_, i) => join(root, ...segments.slice(0, i + 1)))];
  const folders: BigIntStats[] = [];
  for (const path of paths) {
    const found = lookAt(path, create && path !== root, made);
    if (typeof found === "string") {
      undoMade();
      return { ok: false, reason: found };
    }
    folders.push(found);
  }
  const isInPlace = (): boolean =>
    paths.every((path, i) => {
      const stats = statsOf(path);
      return stats?.ino === folders[i]?.ino && stats?.dev === folders[i]?.dev;
    });
  if (!isInPlace()) return { ok: false, reason: "changing" };
  const place = join(root, ...segments);
  return {
    ok: true,
    folder: {
      child: (name) => join(place, name),
      itself: place,
      isInPlace,
      undoMade,
      close: () => undefined,
    },
  };
}

function lookAt(path: string, create: boolean, made: string[]): BigIntStats | FolderProblem {
  try {
    if (create && statsOf(path) === undefined) {
      mkdirSync(path);
      made.push(path);
    }
    const stats = lstatSync(path, { bigint: true });
    if (stats.isSymbolicLink()) return "link";
    return stats.isDirectory() ? stats : "not-a-folder";
  } catch (error) {
    return folderProblem(error);
  }
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
