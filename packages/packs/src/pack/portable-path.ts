import { parseEntryName } from "../archive/entries/entry-name.ts";

const NOT_ON_WINDOWS = /[:*?"<>|\uFFFD]/;

/**
 * What keeps a relative path with `/` from being one entry of an archive that every reader, ours
 * above all, unpacks to one and the same file; or undefined.
 */
export function portablePathProblem(path: string): string | undefined {
  const parsed = parseEntryName(path);
  if (!parsed.ok) return parsed.problem;
  if (parsed.path !== path || path === "") return "is not a plain relative path";
  return NOT_ON_WINDOWS.test(path) ? "has characters that Windows does not allow" : undefined;
}
