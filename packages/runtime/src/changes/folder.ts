import { errorCode, READ_FLAGS } from "@skillwright/core/internal";
import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  writeSync,
} from "node:fs";
import { type Entry, identityOf, PERMISSIONS, type RealEntry, typeOf } from "./change.ts";

const FOLDER_FLAGS = READ_FLAGS | constants.O_DIRECTORY;
/** Not among the constants of Node. */
const O_PATH = 0o10000000;
const CHUNK_BYTES = 1024 * 1024;
const OWNER_MAY_LIST = 0o500;
const OWNER_MAY_READ = 0o400;

/**
 * A folder by its descriptor. What is named in it is reached as by `openat`: links are never
 * followed, and whoever renames a folder on the way changes nothing.
 */
export class Folder {
  readonly descriptor: number;

  private constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  static open(path: string): Folder {
    return new Folder(openSync(path, FOLDER_FLAGS));
  }

  /** A path for system calls that do not follow its last part. */
  child(name: string): string {
    return `/proc/self/fd/${this.descriptor}/${name}`;
  }

  /** Throws when it is not a folder, or may not be opened. */
  folder(name: string): Folder {
    return new Folder(openSync(this.child(name), FOLDER_FLAGS));
  }

  /** Names that are not valid text cannot be passed on; they are reported as they can be shown. */
  names(onInvalid: (shown: string) => void = () => {}): readonly string[] {
    const names: string[] = [];
    for (const latin1 of readdirSync(`/proc/self/fd/${this.descriptor}/.`, "latin1")) {
      // oxlint-disable-next-line no-control-regex -- the bytes of ASCII
      if (/^[\x00-\x7f]*$/.test(latin1)) {
        names.push(latin1);
        continue;
      }
      const bytes = Buffer.from(latin1, "latin1");
      if (isUtf8(bytes)) names.push(bytes.toString("utf8"));
      else onInvalid(bytes.toString("utf8"));
    }
    return names;
  }

  stats(name: string): BigIntStats | undefined {
    try {
      return lstatSync(this.child(name), { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      if (errorCode(error) === "ENOTDIR" || errorCode(error) === "EACCES") return undefined;
      throw error;
    }
  }

  /** Whether a path leads to something here, through no link. */
  has([name = "", ...rest]: readonly string[]): boolean {
    const stats = this.stats(name);
    if (stats === undefined || rest.length === 0) return stats !== undefined;
    if (!stats.isDirectory()) return false;
    const folder = this.folder(name);
    try {
      return folder.has(rest);
    } finally {
      folder.close();
    }
  }

  target(name: string): string {
    return readlinkSync(this.child(name));
  }

  /**
   * Lets the owner of an entry read it while `work` runs, whatever its mode. Only for copies: the
   * real working directory is left as it is. Throws when the entry is no longer the one given.
   */
  async readable<T>(name: string, stats: BigIntStats, work: () => T | Promise<T>): Promise<T> {
    const mode = Number(stats.mode) & PERMISSIONS;
    const needed = stats.isDirectory() ? OWNER_MAY_LIST : OWNER_MAY_READ;
    if (process.getuid?.() === 0 || (mode & needed) === needed) return work();
    const descriptor = openSync(this.child(name), O_PATH | constants.O_NOFOLLOW);
    try {
      const itself = `/proc/self/fd/${descriptor}`;
      if (fstatSync(descriptor, { bigint: true }).ino !== stats.ino) throw new ChangedError(name);
      chmodSync(itself, mode | needed);
      try {
        return await work();
      } finally {
        chmodSync(itself, mode);
      }
    } finally {
      closeSync(descriptor);
    }
  }

  /** Never of what a link leads to. */
  setMode(name: string, mode: number): void {
    const descriptor = openSync(this.child(name), O_PATH | constants.O_NOFOLLOW);
    try {
      if (fstatSync(descriptor).isSymbolicLink()) throw new ChangedError(name);
      chmodSync(`/proc/self/fd/${descriptor}`, mode);
    } finally {
      closeSync(descriptor);
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Something is not what it was a moment ago. */
export class ChangedError extends Error {}

/** Opens a regular file of a folder; what it is is checked after opening. */
export function openFile(folder: Folder, name: string): number {
  const descriptor = openSync(folder.child(name), READ_FLAGS);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new ChangedError(name);
}

/** SHA-256 of an open file, and of what is written to another one with it. */
export function digestOf(from: number, to?: number): string {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, fstatSync(from).size + 1));
  for (let count = -1, at = 0; count !== 0; at += count) {
    count = readSync(from, buffer, 0, buffer.length, at);
    hash.update(buffer.subarray(0, count));
    if (to !== undefined) writeAll(to, buffer.subarray(0, count));
  }
  return hash.digest("hex");
}

function writeAll(to: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(to, bytes, done);
}

/** The same for a file of a folder. Throws when it cannot be read. */
export function fileDigest(folder: Folder, name: string): string {
  const descriptor = openFile(folder, name);
  try {
    return digestOf(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function plainEntry(stats: BigIntStats): Entry {
  const type = typeOf(stats);
  const size = type === "file" ? Number(stats.size) : 0;
  return { type, size, mode: Number(stats.mode) & PERMISSIONS };
}

export function realEntry(stats: BigIntStats, digest?: string): RealEntry {
  return {
    ...plainEntry(stats),
    ...(digest !== undefined && { digest }),
    identity: identityOf(stats),
    links: Number(stats.nlink),
  };
}
