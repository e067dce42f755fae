import type { PackOrigin } from "../pack-origin.ts";
import { parseWebSource } from "./parse/parse-web-source.ts";
import { encodePart } from "./parse/source-suffix.ts";

/** The source that fetches exactly what is recorded: that commit, that version, that URL. */
export function sourceOf(origin: PackOrigin): string {
  return sourceText(origin, origin.resolved ?? origin.ref);
}

/** The source that `update` asks for: the branch, tag, range or URL that was first asked for. */
export function latestSourceOf(origin: PackOrigin): string {
  return sourceText(origin, origin.ref);
}

function sourceText({ type, source, path }: PackOrigin, ref: string | undefined): string {
  switch (type) {
    case "local":
    case "archive":
      return source;
    case "git":
      return gitText(source, path, ref);
    case "npm":
      return `npm:${source}${ref === undefined ? "" : `@${ref}`}`;
    case "url":
      return isUrl(source) ? source : `url:${source}`;
    default:
      return path === undefined ? source : `${source}#@${path}`;
  }
}

function gitText(source: string, path: string | undefined, ref: string | undefined): string {
  const isShort = /^[A-Za-z0-9][A-Za-z0-9-]*\/[A-Za-z0-9._-]+$/.test(source);
  // `github:` because a folder of that name may stand where it is read again.
  const base = isShort ? `github:${source}` : source;
  const folder = path === undefined ? "" : `${isShort ? "/" : "//"}${encodePart(path)}`;
  return `${base}${folder}${ref === undefined ? "" : `#${encodePart(ref)}`}`;
}

/** Whether it is taken for the URL of an archive without being told. */
function isUrl(source: string): boolean {
  const parsed = parseWebSource(source);
  return parsed.ok && parsed.kind === "url";
}
