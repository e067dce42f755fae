import { type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "./parsed-source.ts";

/** What stands at a path, links followed. What cannot be looked at is not there. */
export function lookAt(path: string): Place {
  const stats = statsOf(path);
  if (stats?.isDirectory() === true) return isBareRepository(path) ? "repository" : "folder";
  return stats?.isFile() === true ? "file" : "nothing";
}

function isBareRepository(path: string): boolean {
  const parts = ["objects", "refs"].map((name) => statsOf(join(path, name)));
  const isHead = statsOf(join(path, "HEAD"))?.isFile() === true;
  return isHead && parts.every((stats) => stats?.isDirectory() === true);
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
