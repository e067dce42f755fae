import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openConfinedSync } from "@skillwright/core";
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
const { O_NOFOLLOW } = constants as Readonly<Record<string, number | undefined>>;
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | (O_NOFOLLOW ?? 0);

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
  const folder = join(stateFolder, FOLDER);
  makeRealFolder(stateFolder);
  makeRealFolder(folder);
  // In place, since a torn copy is as good as none: every file is held against the lock.
  const file = openSync(join(folder, pristineName(digest)), WRITE, 0o600);
  try {
    writeFileSync(file, Buffer.concat([head, ...files.map(({ bytes }) => bytes)]));
  } finally {
    closeSync(file);
  }
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
    root = realpathSync.native(join(stateFolder, ".."));
  } catch {
    return undefined;
  }
  const name = stateFolder.split(/[/\\]/).findLast((segment) => segment !== "") ?? "";
  const opened = openConfinedSync(root, [name, FOLDER, pristineName(digest)]);
  if (!opened.ok) return undefined;
  try {
    if (opened.stats.size > MAX_BYTES + MAX_HEADER_BYTES) return undefined;
    return readFileSync(opened.descriptor);
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

/** A link in its place would have us write elsewhere. */
function makeRealFolder(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(path, { recursive: true });
  }
  if (!lstatSync(path).isDirectory()) throw new Error(`${path} is not a folder`);
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
