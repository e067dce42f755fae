import { realpath } from "node:fs/promises";
import { basename } from "node:path";
import { readArchive } from "../../archive/read-archive.ts";
import type { FetchedPack, FetchOptions } from "../../fetched-pack.ts";
import type { PackFailure } from "../../pack-failure.ts";
import { newFolder, packOf } from "../pack-folder.ts";
import type { ArchiveSource, LocalSource } from "../parse/parsed-source.ts";
import { sourceFailure } from "../source-failure.ts";
import { takeSkills } from "./take-skills.ts";

/** The skills of a folder; what else is in it stays there. */
export async function fetchLocal(
  { path, source }: LocalSource,
  options: FetchOptions,
): Promise<FetchedPack | PackFailure> {
  const root = await realpath(path).catch(() => undefined);
  if (root === undefined) return sourceFailure("source-missing", `there is no folder ${source}`);
  const content = await newFolder(options, "pack");
  const rootName = basename(root);
  const taken = await takeSkills(root, content, rootName, options);
  if (!taken.ok) return taken;
  const origin = { type: "local", source } as const;
  return packOf({ content, origin, rootName, notes: taken.notes }, options);
}

export async function fetchArchive(
  { file, source }: ArchiveSource,
  options: FetchOptions,
): Promise<FetchedPack | PackFailure> {
  const content = await newFolder(options, "pack");
  const { limits, signal, onProgress } = options;
  const read = await readArchive(file, { destination: content, limits, signal, onProgress });
  if (!read.ok) return read;
  const origin = { type: "archive", source, integrity: read.integrity } as const;
  const rootName = nameOfArchive(file);
  return packOf({ content, origin, rootName, notes: read.notes, archive: file }, options);
}

/** `pdf-tools-1.2.zip` → `pdf-tools-1.2`. */
export function nameOfArchive(file: string): string {
  return basename(file).replace(/\.(?:zip|skill|tgz|tar\.gz|tar)$/i, "");
}
