import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { PackOrigin } from "../pack-origin.ts";
import type { PackSession } from "./pack-session.ts";

/** A path that holds wherever the base lies: what is below or beside it is named from there. */
export function originFrom(
  origin: PackOrigin,
  { scope, cwd, env }: Pick<PackSession, "scope" | "cwd" | "env">,
): PackOrigin {
  if (!isPath(origin)) return origin;
  const home = env?.["HOME"] ?? homedir();
  const path = resolve(
    cwd,
    origin.source.replace(/^~(?=\/|$)/, () => home),
  );
  const way = relative(realPath(scope.base), realPath(path)).split(sep).join("/");
  if (isAbsolute(way)) return { ...origin, source: path };
  const isAbove = way === ".." || way.startsWith("../");
  return { ...origin, source: isAbove ? way : `./${way}` };
}

/** A repository may be a folder too. */
function isPath({ type, source }: PackOrigin): boolean {
  if (type === "local" || type === "archive") return true;
  return type === "git" && /^(?:\.{1,2}|~)(?:\/|$)/.test(source);
}

/** The real path of what is there, else the path itself. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

/** Whether a path is a folder or lies in it; both are real. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way.split(sep)[0] !== "..";
}
