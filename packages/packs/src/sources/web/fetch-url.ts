import { slugify } from "@skillwright/core/internal";
import { mkdir, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { readArchive } from "../../archive/read-archive.ts";
import type { FetchedPack, FetchedSignature, FetchOptions } from "../../fetched-pack.ts";
import type { PackFailure } from "../../pack-failure.ts";
import { DEFAULT_LIMITS } from "../../pack-limits.ts";
import { nameOfArchive } from "../local/fetch-local.ts";
import { newFolder, packOf } from "../pack-folder.ts";
import type { WebSource } from "../parse/parsed-source.ts";
import { download, type Download, downloadText } from "./download.ts";
import { webContext } from "./web-context.ts";

/** An archive, or a SKILL.md that is a skill by itself. */
export async function fetchUrl(
  { url, source }: WebSource,
  options: FetchOptions,
): Promise<FetchedPack | PackFailure> {
  const { limits: given, signal, onProgress } = options;
  const limits = { ...DEFAULT_LIMITS, ...given };
  const context = webContext(url, options);
  const folder = await newFolder(options, "archive");
  const received = join(folder, "download");
  const loaded = await download(context.start, received, limits.archiveBytes, context);
  if (!loaded.ok) return loaded;
  const content = await newFolder(options, "pack");
  const origin = { type: "url", source, integrity: loaded.integrity } as const;
  const parts = decodePath(new URL(source).pathname);
  const last = parts.at(-1) ?? "";
  if (/\.md$/i.test(last) || (await isSkillText(received))) {
    const name = slugify(parts.at(/\.md$/i.test(last) ? -2 : -1) ?? "");
    const place = join(content, name === "" ? "skill" : name);
    await mkdir(place);
    await rename(received, join(place, "SKILL.md"));
    return packOf({ content, origin, rootName: name, notes: [] }, options);
  }
  const archive = join(folder, archiveName(last));
  await rename(received, archive);
  const read = await readArchive(archive, { destination: content, limits, signal, onProgress });
  if (!read.ok) return isPage(loaded) ? { ...read, hint: PAGE_HINT } : read;
  const rootName = nameOfArchive(archive);
  const pack = await packOf({ content, origin, rootName, notes: read.notes, archive }, options);
  return pack.ok ? { ...pack, fetchSignature: () => fetchSignature(url, options) } : pack;
}

const PAGE_HINT = "The server answered with a web page; give the address of the archive itself.";

function isPage({ contentType }: Download): boolean {
  return /^text\/html\b/i.test(contentType);
}

/** Frontmatter is the one thing that a skill begins with and no archive does. */
async function isSkillText(file: string): Promise<boolean> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(7), 0, 7, 0);
    return /^(?:\uFEFF)?---\r?\n/.test(buffer.subarray(0, bytesRead).toString("utf8"));
  } finally {
    await handle.close();
  }
}

function archiveName(last: string): string {
  const extension = /\.(?:zip|skill|tgz|tar\.gz)$/i.exec(last)?.[0] ?? "";
  const name = slugify(last.slice(0, last.length - extension.length));
  return `${name === "" ? "pack" : name}${extension.toLowerCase()}`;
}

function decodePath(pathname: string): string[] {
  try {
    return decodeURIComponent(pathname).split("/");
  } catch {
    return pathname.split("/");
  }
}

const MAX_SIGNATURE_BYTES = 16 * 1024;

/**
 * What lies beside a pack on the web as `<pack>.sig`, asked for as the pack itself was: with its
 * credentials and query, and by the same rules for redirections. Only an answer that there is
 * nothing means that there is nothing.
 */
async function fetchSignature(
  packUrl: string,
  { fetch, signal }: Pick<FetchOptions, "fetch" | "signal">,
): Promise<FetchedSignature | PackFailure> {
  const url = new URL(packUrl);
  url.pathname += ".sig";
  const context = webContext(url.href, { fetch, signal });
  const loaded = await downloadText(context.start, MAX_SIGNATURE_BYTES, context);
  if (loaded.ok) return { ok: true, text: loaded.text };
  if (loaded.code === "source-missing") return { ok: true };
  // A page that says in many words that there is nothing.
  if (loaded.code === "limit-exceeded") return { ok: true, text: "" };
  return loaded;
}
