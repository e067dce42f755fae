import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";
import { downloadText } from "../web/download.ts";
import type { WebContext } from "../web/web-context.ts";
import { parseIndex, type SkillIndex } from "./skill-index.ts";

export interface FoundIndex extends SkillIndex {
  /** Where it was read: URLs in it are relative to this. */
  readonly url: URL;
}

const MAX_INDEX_BYTES = 2 * 1024 * 1024;
const PATHS = [".well-known/agent-skills/index.json", ".well-known/skills/index.json"];

/** The index of a site: below the path that was given, then at its root; the new form first. */
export async function findIndex(context: WebContext): Promise<FoundIndex | PackFailure> {
  const places = placesOf(context.start);
  let last: PackFailure | undefined;
  for (const place of places) {
    const read = await downloadText(place, MAX_INDEX_BYTES, context);
    if (!read.ok) {
      if (read.code === "canceled" || read.code === "limit-exceeded") return read;
      // "Nothing there" is expected; any other answer is what a person has to know.
      if (read.code !== "source-missing") last ??= read;
      continue;
    }
    const index = parseIndex(read.text);
    if (index === undefined) continue;
    if (!index.ok) return { ...index, message: `${index.message} (${foreignText(place.href)})` };
    const note = index.version === "0.1" ? [`took v0.1 of the index: it has no digests`] : [];
    const isBelow = place.pathname.startsWith(folderOf(context.start).pathname);
    const root = isBelow ? [] : [`took the index of ${place.origin}`];
    return { ...index, url: read.url, notes: [...note, ...root, ...index.notes] };
  }
  return last ?? missing(context.start);
}

function placesOf(start: URL): URL[] {
  if (/\/\.well-known\/[^/]+\/index\.json$/.test(start.pathname)) return [withoutUser(start)];
  const bases = [folderOf(start), new URL("/", start)];
  const places = bases.flatMap((base) => PATHS.map((path) => new URL(path, base)));
  return [...new Map(places.map((place) => [place.href, place])).values()].map(withoutUser);
}

/** The URL as a folder, so that names are added to its path. */
function folderOf(url: URL): URL {
  const folder = new URL(url);
  folder.search = "";
  folder.hash = "";
  if (!folder.pathname.endsWith("/")) folder.pathname += "/";
  return folder;
}

/** Credentials go into a header, by the origin. */
function withoutUser(url: URL): URL {
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return plain;
}

function missing(start: URL): PackFailure {
  const shown = foreignText(start.href);
  return sourceFailure("source-missing", `${shown} has no index of skills`, {
    hint: "For a repository write git+https://…, for an archive without an ending url:https://….",
  });
}
