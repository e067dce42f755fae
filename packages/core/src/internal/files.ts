import {
  type BigIntStats,
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";

/** Node modules that take milliseconds to load: only when first used, not when this package is imported. */
export const crypto = () => process.getBuiltinModule("node:crypto");
export const zlib = () => process.getBuiltinModule("node:zlib");

/** Windows lacks some of these flags. */
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Readonly<
  Record<string, number | undefined>
>;

/** For reading, without following a link, and without waiting for a writer at a FIFO. */
export const READ_FLAGS = constants.O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
/** The same, following links. */
const FOLLOWING_FLAGS = constants.O_RDONLY | O_NONBLOCK;
/** For a new file; fails when there is anything of that name, a link included. */
export const CREATE_FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | O_NOFOLLOW;
/** For reading and appending to a file, made if missing. */
export const APPEND_FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | O_NOFOLLOW | O_NONBLOCK;

const NO_HARD_LINKS = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"]);
const MIB = 1024 * 1024;
const DEFAULT_MAX_BYTES = 64 * MIB;
const GROWTH = 64 * 1024;

export type UnusableReason = "link" | "not-regular" | "too-large";

/** A file that is there but must not be read: a link, a device, a FIFO, a folder, or too much. */
export class UnusableFileError extends Error {
  readonly reason: UnusableReason;

  constructor(reason: UnusableReason, message: string) {
    super(message);
    this.name = "UnusableFileError";
    this.reason = reason;
  }
}

export interface ReadOptions {
  /** A larger file is refused; 64 MiB unless given. */
  readonly maxBytes?: number;
  /** Links are refused unless this is set. */
  readonly follow?: boolean;
}

/**
 * Opens a regular file for reading. Nothing else is opened for longer than it takes to see what it
 * is: reading a FIFO or a device may never end. The caller closes the descriptor.
 */
export function openRegular(
  file: string,
  { maxBytes = Number.POSITIVE_INFINITY, follow = false }: ReadOptions = {},
): { readonly descriptor: number; readonly stats: Stats } {
  const descriptor = open(file, follow);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile())
      throw new UnusableFileError("not-regular", `${file} is not a regular file`);
    if (stats.size > maxBytes) throw tooLarge(file, maxBytes);
    return { descriptor, stats };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The bytes of a regular file, at most `maxBytes` even when it grows meanwhile. */
export function readRegularFile(file: string, options: ReadOptions = {}): Buffer {
  const { maxBytes = DEFAULT_MAX_BYTES } = options;
  const { descriptor, stats } = openRegular(file, { ...options, maxBytes });
  try {
    const bytes = readUpTo(descriptor, maxBytes + 1, stats.size);
    if (bytes.length > maxBytes) throw tooLarge(file, maxBytes);
    return bytes;
  } finally {
    closeSync(descriptor);
  }
}

/** The same, or undefined when there is no such file. */
export function readIfPresent(file: string, options: ReadOptions = {}): Buffer | undefined {
  try {
    return readRegularFile(file, options);
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

export interface WriteOptions {
  /** Permissions, whatever the umask; 0600 unless given. `umask` leaves them to the umask. */
  readonly mode?: number | "umask";
  /** Survives a power cut once this returns. */
  readonly flush?: boolean;
}

/**
 * Writes a file by rename: readers see the old text or the new one, and a link of that name is
 * replaced, never written through. Missing folders are made.
 */
export function writeAtomic(
  file: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): void {
  const { mode = 0o600, flush = false } = options;
  makeFolder(dirname(file), folderMode(options));
  const temporary = temporaryPath(file);
  try {
    writeNew(temporary, data, { mode, flush });
    renameSync(temporary, file);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  if (flush) syncFolder(dirname(file));
}

interface ReplaceOptions {
  /**
   * Where the content is written first, on the same file system. Given the same name each time, an
   * attempt clears away what a killed one left.
   */
  readonly temporary?: string;
  /** The new name survives a power cut. Flushing the content is up to `write`. */
  readonly flush?: boolean;
}

/** The same for content that is streamed or made by others: `write` fills the temporary file. */
export async function replaceAtomic(
  file: string,
  write: (temporary: string) => Promise<void>,
  { temporary = temporaryPath(file), flush = false }: ReplaceOptions = {},
): Promise<void> {
  makeFolder(dirname(file), 0o777);
  try {
    rmSync(temporary, { force: true });
    await write(temporary);
    renameSync(temporary, file);
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  if (flush) syncFolder(dirname(file));
}

/** Throws EEXIST when there is anything of that name, a link included. */
export function writeNew(
  file: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): void {
  const { mode = 0o600, flush = false } = options;
  const descriptor = openSync(file, CREATE_FLAGS, mode === "umask" ? 0o666 : mode);
  try {
    // The umask may have taken bits away.
    if (mode !== "umask") fchmodSync(descriptor, mode);
    writeFileSync(descriptor, data, { flush });
  } finally {
    closeSync(descriptor);
  }
}

/** A new file that appears whole. False when there is anything of that name, a link included. */
export function placeNew(
  file: string,
  data: string | Uint8Array,
  options: WriteOptions = {},
): boolean {
  makeFolder(dirname(file), folderMode(options));
  const temporary = temporaryPath(file);
  try {
    writeNew(temporary, data, options);
    return linkNew(temporary, file);
  } finally {
    removeQuietly(temporary);
  }
}

/** Gives a file a second name. False when that is taken: unlike a rename, it replaces nothing. */
export function linkNew(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (code === "EEXIST") return false;
    if (!NO_HARD_LINKS.has(code)) throw error;
    return isCopied(from, to);
  }
}

/** For file systems without hard links. */
function isCopied(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Folders of a file that is not private are not private either. */
function folderMode({ mode }: WriteOptions): number {
  return mode === "umask" ? 0o777 : 0o700;
}

/** A hidden name beside a file that is not in use. It is short enough where the file's name is not. */
export function temporaryPath(file: string): string {
  return join(dirname(file), `.${basename(file).slice(0, 64)}.${crypto().randomUUID()}.tmp`);
}

/**
 * Makes a folder and those above it, for its owner only unless told otherwise. Node's `recursive`
 * never returns where a file system refuses as if a folder were missing, as /proc does.
 */
export function makeFolder(path: string, mode = 0o700): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(path)) throw error;
  }
}

/** Folders cannot be opened or synced everywhere, and one that is gone has nothing to sync. */
const NO_SYNC = new Set([
  "EACCES",
  "EBADF",
  "EINVAL",
  "EISDIR",
  "ENOENT",
  "ENOSYS",
  "ENOTSUP",
  "EOPNOTSUPP",
  "EPERM",
]);

/** Makes renames in a folder durable, where the system can. Throws when the disk fails. */
export function syncFolder(folder: string): void {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!NO_SYNC.has(errorCode(error) ?? "")) throw error;
  }
}

/** Removes a file or a whole folder. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true });
  } catch {
    // Where nothing can be written there is nothing to remove.
  }
}

/** `ENOENT` and the like. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

function open(file: string, follow: boolean): number {
  try {
    return openSync(file, follow ? FOLLOWING_FLAGS : READ_FLAGS);
  } catch (error) {
    const code = errorCode(error);
    if (!follow && (code === "ELOOP" || code === "EMLINK")) {
      throw new UnusableFileError("link", `${file} is a symbolic link`);
    }
    // A socket, or a device without a driver.
    if (code === "ENXIO" || code === "ENODEV") {
      throw new UnusableFileError("not-regular", `${file} is not a regular file`);
    }
    throw error;
  }
}

/** At most `limit` bytes from where the descriptor is. `expected` is a guess: files grow while they are read. */
export function readUpTo(descriptor: number, limit: number, expected: number): Buffer {
  let buffer = Buffer.allocUnsafe(Math.min(limit, expected + 1));
  for (let length = 0; ;) {
    const count = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += count;
    if (count === 0 || length === limit) return buffer.subarray(0, length);
    const isFull = length === buffer.length;
    if (isFull) buffer = Buffer.concat([buffer], Math.min(limit, 2 * length + GROWTH));
  }
}

function tooLarge(file: string, maxBytes: number): UnusableFileError {
  const limit = maxBytes >= MIB ? `${Math.round(maxBytes / MIB)} MiB` : `${maxBytes} bytes`;
  return new UnusableFileError("too-large", `${file} is larger than ${limit}`);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Two writes this close may leave the same time; some file systems count in ticks of 10 ms. */
const RACY_NANOSECONDS = 100_000_000n;

interface FileStamp {
  /**
   * Size, modification time in nanoseconds and inode: differs when the file does. So does the time
   * of the last change of any kind, which nobody can set back.
   */
  readonly stamp: string;
  /** Written so recently, or in a future so strange, that the next change might not show. */
  readonly racy: boolean;
}

const stampNumbers = new BigUint64Array(4);
const stampBytes = Buffer.from(stampNumbers.buffer);

/** Not as decimal numbers: to make those of four big integers takes several times as long. */
export function fileStamp({ size, mtimeNs, ctimeNs, ino }: BigIntStats, nowNs: bigint): FileStamp {
  stampNumbers[0] = size;
  stampNumbers[1] = mtimeNs;
  stampNumbers[2] = ctimeNs;
  stampNumbers[3] = ino;
  return { stamp: stampBytes.toString("base64"), racy: nowNs - mtimeNs < RACY_NANOSECONDS };
}

const SLICE_MILLISECONDS = 10;

/** Lets others run now and then: a scan of thousands of files uses synchronous calls, in slices. */
export class TimeSlice {
  #end = performance.now() + SLICE_MILLISECONDS;

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  async rest(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + SLICE_MILLISECONDS;
  }
}
