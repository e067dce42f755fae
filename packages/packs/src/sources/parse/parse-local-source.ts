import { homedir } from "node:os";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";
import { lookAt } from "./look-at.ts";
import type { GitSource, ParsedSource, ParseOptions } from "./parsed-source.ts";
import {
  parseFolder,
  parseFragment,
  splitFragment,
  splitRepositorySkill,
} from "./source-suffix.ts";

/** A folder, an archive, or a bare repository, which may have `//folder` and `#ref` after it. */
export function parseLocalSource(text: string, options: ParseOptions): ParsedSource | PackFailure {
  const look = options.look ?? lookAt;
  const path = absolute(text, options);
  // A blank at the end of a name would be lost where the text is read again.
  const source = shortPath(text, path, options).replace(/\s$/, "$&/");
  switch (look(path)) {
    case "folder":
      return { ok: true, kind: "local", source, path, notes: [] };
    case "repository":
      return repository(path, source);
    case "file":
      if (basename(path).toLowerCase() !== "skill.md") {
        return { ok: true, kind: "archive", source, file: path, notes: [] };
      }
      return parseLocalSource(`${text}/..`, options);
    default:
      return localRepository(text, options) ?? missing(source, dirname(path), look(dirname(path)));
  }
}

function localRepository(
  text: string,
  options: ParseOptions,
): ParsedSource | PackFailure | undefined {
  const [whole, fragment] = splitFragment(text);
  const [place, skill] = text.includes("#") ? [whole, undefined] : splitRepositorySkill(whole);
  const at = place.indexOf("//");
  const base = at < 0 ? place : place.slice(0, at);
  const path = absolute(base, options);
  if (base === "" || (options.look ?? lookAt)(path) !== "repository") return undefined;
  const suffix = parseFragment(fragment);
  if ("ok" in suffix) return suffix;
  const folder = parseFolder(at < 0 ? "" : place.slice(at + 2));
  if ("ok" in folder) return folder;
  const found = repository(path, shortPath(base, path, options));
  return {
    ...found,
    ...(skill !== undefined && { skill }),
    ...suffix,
    ...(folder.path !== "" && { path: folder.path }),
  };
}

function repository(path: string, source: string): GitSource {
  const url = pathToFileURL(path).href;
  return { ok: true, kind: "git", source, url, transport: "file", notes: [] };
}

function absolute(text: string, { cwd, home = homedir() }: ParseOptions): string {
  return isHome(text) ? resolve(home, `.${text.slice(1)}`) : resolve(cwd, text);
}

/** Relative paths stay relative and `~` stays: that is what another machine can understand. */
function shortPath(text: string, path: string, { cwd, home = homedir() }: ParseOptions): string {
  if (isAbsolute(text)) return path;
  const base = isHome(text) ? home : cwd;
  const way = relative(base, path).split(sep).join("/");
  if (isAbsolute(way)) return path;
  const isBelow = way !== ".." && !way.startsWith("../");
  if (isHome(text)) return isBelow ? `~/${way}`.replace(/\/$/, "") : path;
  if (way === "") return ".";
  return isBelow ? `./${way}` : way;
}

function isHome(text: string): boolean {
  return text === "~" || text.startsWith("~/") || text.startsWith(`~${sep}`);
}

function missing(source: string, parent: string, place: string): PackFailure {
  const hint =
    place === "nothing" ? `There is no folder ${foreignText(parent)} either.` : undefined;
  const message = `there is no folder, archive or repository at ${foreignText(source)}`;
  return sourceFailure("source-missing", message, hint === undefined ? {} : { hint });
}
