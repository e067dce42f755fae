import { mkdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { copyTree } from "../../archive/copy-tree.ts";
import { parseEntryName } from "../../archive/entries/entry-name.ts";
import { readArchive } from "../../archive/read-archive.ts";
import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import type { RemainingLimits } from "../pack-folder.ts";
import { sourceFailure } from "../source-failure.ts";
import { download } from "../web/download.ts";
import type { WebContext } from "../web/web-context.ts";
import type { IndexEntry } from "./skill-index.ts";

export interface EntryPlace {
  /** A new folder for what is downloaded. */
  readonly work: string;
  /** The empty folder of the skill. */
  readonly folder: string;
  /** The index it stands in. */
  readonly index: URL;
  readonly remaining: RemainingLimits;
  readonly context: WebContext;
}

type Taken = { readonly ok: true; readonly notes: readonly string[] } | PackFailure;

/** Gets one skill of an index, and holds what came against the digest before it is read. */
export async function takeEntry(entry: IndexEntry, place: EntryPlace): Promise<Taken> {
  if (entry.type === "files") return takeFiles(entry.name, entry.files, place);
  const { work, folder, index, remaining, context } = place;
  if (!URL.canParse(entry.url, index.href)) return noUrl(entry.name, entry.url);
  const file = join(work, "download");
  const url = new URL(entry.url, index);
  const { archiveBytes, bytes } = remaining.now;
  const most = entry.type === "archive" ? archiveBytes : Math.min(archiveBytes, bytes);
  const loaded = await download(url, file, most, context);
  if (!loaded.ok) return loaded;
  if (loaded.integrity !== entry.digest)
    return mismatch(entry.name, entry.digest, loaded.integrity);
  remaining.take({ archiveBytes: loaded.bytes });
  if (entry.type === "skill-md") {
    remaining.take({ files: 1, bytes: loaded.bytes });
    await rename(file, join(folder, "SKILL.md"));
    return { ok: true, notes: [] };
  }
  const limits = { ...remaining.now, archiveBytes: loaded.bytes };
  const { signal, onProgress } = context;
  const read = await readArchive(file, { destination: folder, limits, signal, onProgress });
  if (read.ok) remaining.take({ files: read.files, bytes: read.bytes });
  return read;
}

/** v0.1: every file by itself, below the name of the skill beside the index. */
async function takeFiles(
  name: string,
  files: readonly string[],
  { work, folder, index, remaining, context }: EntryPlace,
): Promise<Taken> {
  if (files.length > remaining.now.files) {
    return sourceFailure("limit-exceeded", `the skills of the index have too many files`);
  }
  // All names before the first request.
  const paths = files.map(parseEntryName);
  const bad = paths.findIndex((path) => !path.ok || path.isFolder || path.path === "");
  if (bad >= 0) {
    const message = `the index lists a file of ${name} that is no path within it`;
    return sourceFailure("archive-unsafe", `${message}: ${foreignText(files[bad] ?? "")}`);
  }
  let { bytes } = remaining.now;
  for (const path of new Set(files)) {
    const file = join(work, path);
    await mkdir(dirname(file), { recursive: true });
    const url = new URL([name, ...path.split("/")].map(encodeURIComponent).join("/"), index);
    const loaded = await download(url, file, bytes, context);
    if (!loaded.ok) return loaded;
    bytes -= loaded.bytes;
  }
  const copied = await copyTree(work, folder, { limits: remaining.now, signal: context.signal });
  if (copied.ok) remaining.take(copied);
  return copied;
}

function mismatch(name: string, expected: string, actual: string): PackFailure {
  const message = `${name} is not what the index says: ${actual} instead of ${expected}`;
  return sourceFailure("digest-mismatch", message, {
    hint: "It was changed on its way or at its host. Do not install it; tell its publisher.",
  });
}

function noUrl(name: string, url: string): PackFailure {
  return sourceFailure("source-invalid", `${name} has no usable URL: ${foreignText(url)}`);
}
