import { createHash } from "node:crypto";
import { closeSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { openConfinedSync, readUpTo, writeAtomic } from "@skillwright/core/internal";
import { makePlainFolder } from "../change/files/plain-path.ts";
import type { LockedSkill } from "../lock/lock-file.ts";
import type { FolderFile } from "../lock/read-folder.ts";

interface Header {
  readonly version: 1;
  /** In the order their bytes follow. */
  readonly files: readonly { path: string; size: number; executable: boolean }[];
}

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_HEADER_BYTES = 1024 * 1024;
const FOLDER = "pristine";

/**
 * Keeps a copy of a skill as it was installed, for a later merge: one line of JSON that lists the
 * files, then their bytes. Large files are left out; the lock knows their digests. Nothing is
 * synced: a copy that is lost only costs the merge. `stateFolder` is the one below the root.
 */
export function savePristine(
  stateFolder: string,
  digest: string,
  content: readonly FolderFile[],
): void {
  const files: FolderFile[] = [];
  let total = 0;
  for (const file of content) {
    const { length } = file.bytes;
    if (length > MAX_FILE_BYTES || total + length > MAX_BYTES) continue;
    total += length;
    files.push(file);
  }
  const header: Header = {
    version: 1,
    files: files.map(({ path, bytes, executable }) => ({ path, size: bytes.length, executable })),
  };
  const head = Buffer.from(`${JSON.stringify(header)}\n`);
  const name = pristineName(digest);
  const folder = makePlainFolder(dirname(stateFolder), [basename(stateFolder), FOLDER], 0o700);
  writeAtomic(join(folder, name), Buffer.concat([head, ...files.map(({ bytes }) => bytes)]));
}

/**
 * The files of a skill as they were installed, those that were kept; undefined when there is no copy
 * that can be used. Anybody may have written it, so each file must have the digest of the lock.
 */
export function readPristine(
  stateFolder: string,
  { digest, files }: Pick<LockedSkill, "digest" | "files">,
): FolderFile[] | undefined {
  const container = readContainer(stateFolder, digest);
  const end = container?.indexOf("\n") ?? -1;
  if (container === undefined || end < 0 || end > MAX_HEADER_BYTES) return undefined;
  const header = parseHeader(container.subarray(0, end).toString("utf8"));
  const found: FolderFile[] = [];
  const seen = new Set<string>();
  let offset = end + 1;
  for (const { path, size, executable } of header?.files ?? []) {
    const bytes = container.subarray(offset, offset + size);
    offset += size;
    const isLocked = Object.hasOwn(files, path) && files[path] === sha256(bytes);
    if (!isLocked || seen.has(path)) return undefined;
    seen.add(path);
    found.push({ path, bytes, executable });
  }
  return header !== undefined && offset === container.length ? found : undefined;
}

function readContainer(stateFolder: string, digest: string): Buffer | undefined {
  let root: string;
  try {
    root = realpathSync.native(dirname(stateFolder));
  } catch {
    return undefined;
  }
  const opened = openConfinedSync(root, [basename(stateFolder), FOLDER, pristineName(digest)]);
  if (!opened.ok) return undefined;
  try {
    if (opened.stats.size > MAX_BYTES + MAX_HEADER_BYTES) return undefined;
    return readUpTo(opened.descriptor, MAX_BYTES + MAX_HEADER_BYTES, opened.stats.size);
  } catch {
    return undefined;
  } finally {
    closeSync(opened.descriptor);
  }
}

function parseHeader(text: string): Header | undefined {
  let value: Partial<Header> | null;
  try {
    value = JSON.parse(text) as Partial<Header> | null;
  } catch {
    return undefined;
  }
  if (value?.version !== 1 || !Array.isArray(value.files)) return undefined;
  const isFine = value.files.every((file: Partial<Header["files"][number]> | null) => {
    if (typeof file?.path !== "string" || typeof file.executable !== "boolean") return false;
    return Number.isSafeInteger(file.size) && (file.size ?? -1) >= 0;
  });
  return isFine ? (value as Header) : undefined;
}

/** The name of the copy of a skill with this digest. */
export function pristineName(digest: string): string {
  const hex = /^sha256:([0-9a-f]{64})$/.exec(digest)?.[1];
  if (hex === undefined) throw new Error(`not a digest: ${digest.slice(0, 80)}`);
  return hex;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
