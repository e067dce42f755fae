import {
  errorCode,
  READ_FLAGS,
  readIfPresent,
  readRegularFile,
  removeQuietly,
  writeAtomic,
} from "@skillwright/core/internal";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { type Change, type Manifest, manifestText, parseManifest } from "./change.ts";
import { ChangedError, digestOf, type Folder, openFile } from "./folder.ts";

const MANIFEST = "manifest.json";
const CONTENTS = "contents";
const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;

/**
 * Changes that wait in a private folder: a manifest, and each content once, named by its digest. The
 * manifest is written last, so it never names what is missing.
 */
export class HeldChanges {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  read(): Manifest | undefined {
    const bytes = readIfPresent(join(this.folder, MANIFEST), { maxBytes: MAX_MANIFEST_BYTES });
    return bytes === undefined ? undefined : parseManifest(bytes.toString("utf8"));
  }

  /** Takes over what was collected from a view. Content that is refused for its size is left out. */
  async save(manifest: Manifest, merged: Folder): Promise<void> {
    mkdirSync(join(this.folder, CONTENTS), { recursive: true, mode: 0o700 });
    const known = new Set(readdirSync(join(this.folder, CONTENTS)));
    for (const change of manifest.changes) {
      const { path, after } = change;
      if (after?.type !== "file" || after.digest === undefined || known.has(after.digest)) continue;
      if (!isStored(change)) continue;
      const segments = path.split("/");
      await withParent(merged, segments, async (parent, name) => {
        const stats = parent.stats(name);
        if (stats === undefined) throw new ChangedError(path);
        await parent.readable(name, stats, () => {
          const from = openFile(parent, name);
          try {
            this.#take(from, after.digest ?? "");
          } finally {
            closeSync(from);
          }
        });
      });
      known.add(after.digest);
    }
    this.write(manifest);
  }

  /** The rest of a manifest whose contents are here already. */
  write(manifest: Manifest): void {
    writeAtomic(join(this.folder, MANIFEST), manifestText(manifest), { flush: true });
    const needed = new Set(manifest.changes.map(({ after }) => after?.digest));
    for (const name of this.#contents()) {
      if (!needed.has(name)) removeQuietly(this.contentPath(name));
    }
  }

  contentPath(digest: string): string {
    return join(this.folder, CONTENTS, digest);
  }

  /** Throws when it is not stored here. */
  open(digest: string): number {
    return openSync(this.contentPath(digest), READ_FLAGS);
  }

  /** The text of a change, for a diff. Undefined when it is not stored here. */
  content(digest: string | undefined, maxBytes: number): Buffer | undefined {
    if (digest === undefined || !existsSync(this.contentPath(digest))) return undefined;
    try {
      return readRegularFile(this.contentPath(digest), { maxBytes });
    } catch {
      return undefined;
    }
  }

  discard(): void {
    removeQuietly(join(this.folder, MANIFEST));
    removeQuietly(join(this.folder, CONTENTS));
  }

  /** Moves a file in, on the same disk or from another one. */
  moveIn(file: string, digest: string): void {
    mkdirSync(join(this.folder, CONTENTS), { recursive: true, mode: 0o700 });
    try {
      renameSync(file, this.contentPath(digest));
      chmodSync(this.contentPath(digest), 0o600);
    } catch {
      const from = openSync(file, "r");
      try {
        this.#take(from, digest);
      } finally {
        closeSync(from);
      }
      unlinkSync(file);
    }
  }

  /** Only what has this digest is taken. */
  #take(from: number, digest: string): void {
    const temporary = this.contentPath(`${digest}.tmp`);
    removeQuietly(temporary);
    const to = openSync(temporary, "wx", 0o600);
    try {
      if (digestOf(from, to) !== digest) throw new ChangedError(digest);
    } catch (error) {
      removeQuietly(temporary);
      throw error;
    } finally {
      closeSync(to);
    }
    renameSync(temporary, this.contentPath(digest));
  }

  #contents(): readonly string[] {
    try {
      return readdirSync(join(this.folder, CONTENTS));
    } catch {
      return [];
    }
  }
}

/** Later scripts of the run see refused changes too, as far as they are small and no secret. */
function isStored({ refused, after }: Change): boolean {
  return refused === undefined || (after?.size ?? 0) <= MAX_REFUSED_BYTES;
}

const MAX_REFUSED_BYTES = 1024 * 1024;

/** Puts changes into a view that was just opened. Nothing may run in it yet. */
export async function restoreChanges(held: HeldChanges, view: Folder): Promise<void> {
  const { changes } = held.read() ?? { changes: [] };
  const modes: [path: string, mode: number][] = [];
  for (const change of changes) {
    const { path, kind, before, after } = change;
    const work = withParent(view, path.split("/"), (parent, name) => {
      if (kind === "deleted") {
        if (before?.type === "folder") rmdirSync(parent.child(name));
        else unlinkSync(parent.child(name));
        return;
      }
      if (after?.type === "folder") {
        if (kind === "created") mkdirSync(parent.child(name));
        modes.push([path, after.mode]);
      } else if (after?.type === "link") symlinkSync(after.target ?? "", parent.child(name));
      else if (after?.type === "file" && kind === "mode") modes.push([path, after.mode]);
      else if (after?.type === "file" && after.digest !== undefined) {
        if (!existsSync(held.contentPath(after.digest))) return;
        if (kind === "modified") unlinkSync(parent.child(name));
        copyTo(held.contentPath(after.digest), parent.child(name));
        modes.push([path, after.mode]);
      }
    });
    await quietly(work);
  }
  // A folder may forbid what is made in it.
  for (const [path, mode] of modes.toReversed()) {
    await quietly(withParent(view, path.split("/"), (parent, name) => parent.setMode(name, mode)));
  }
}

/** What the change was made to may be gone on the host by now, or something else. */
async function quietly(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    const isExpected = error instanceof ChangedError || errorCode(error) !== undefined;
    if (!isExpected) throw error;
  }
}

function copyTo(source: string, target: string): void {
  const from = openSync(source, "r");
  try {
    const to = openSync(target, "wx", 0o600);
    try {
      digestOf(from, to);
    } finally {
      closeSync(to);
    }
  } finally {
    closeSync(from);
  }
}

/** Reaches the folder of a path part by part, never through a link. */
async function withParent<T>(
  root: Folder,
  segments: readonly string[],
  work: (parent: Folder, name: string) => T | Promise<T>,
): Promise<T> {
  const [name = "", ...rest] = segments;
  if (rest.length === 0) return work(root, name);
  const stats = root.stats(name);
  const enter = async () => {
    const folder = root.folder(name);
    try {
      return await withParent(folder, rest, work);
    } finally {
      folder.close();
    }
  };
  return stats === undefined ? enter() : root.readable(name, stats, enter);
}
