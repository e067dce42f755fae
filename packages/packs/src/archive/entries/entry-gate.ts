import { quoteName, quoteNames } from "@skillwright/core/internal";
import type { PackFailure } from "../../pack-failure.ts";
import type { PackLimits } from "../../pack-limits.ts";
import { MANIFEST_FILE } from "../../pack/manifest.ts";
import { refuse } from "../refuse.ts";
import { parseEntryName } from "./entry-name.ts";
import { EntryNames } from "./entry-names.ts";
import { isArchiveName, leftOutAs } from "./left-out.ts";

export interface GivenEntry {
  readonly name: string;
  readonly isFolder: boolean;
  /** As it says of itself; what it really has is held against this. */
  readonly size: number;
}

export interface Admitted {
  readonly ok: true;
  /** Undefined when there is nothing to write: it is left out, or is the folder of everything. */
  readonly path?: string;
}

/** Entries for each file that is allowed: folders, names of their own, what macOS adds. */
const ENTRIES_PER_FILE = 4;

/** Decides on every entry of a pack before anything of it is written. */
export class EntryGate {
  readonly names = new EntryNames();
  /** Files to write, and what they have in all. */
  files = 0;
  bytes = 0;
  readonly #limits: PackLimits;
  readonly #leftOut = new Map<string, number>();
  readonly #archives: string[] = [];
  #entries = 0;
  #counted = 0;
  #skipped = 0;

  constructor(limits: PackLimits) {
    this.#limits = limits;
  }

  admit({ name, isFolder, size }: GivenEntry): Admitted | PackFailure {
    const tooMany = this.countEntry();
    if (tooMany !== undefined) return tooMany;
    const parsed = parseEntryName(name);
    if (!parsed.ok) return refuseEntry(name, parsed.problem);
    const { path, segments } = parsed;
    if (path === "") return isFolder ? { ok: true } : refuseEntry(name, "has no name");
    const reason = leftOutAs(segments);
    if (reason !== undefined) {
      if (!isFolder) this.leaveOut(reason);
      return { ok: true };
    }
    const problem = this.names.add(path, isFolder);
    if (problem !== undefined) return refuseEntry(name, problem);
    if (this.names.folders.length > this.#limits.files) return this.#tooMany("folders");
    if (isFolder) return { ok: true, path };
    if (isArchiveName(path)) this.#archives.push(path);
    return this.#count(path, size) ?? { ok: true, path };
  }

  /** For what is no file or folder, but costs something to look at. */
  countEntry(): PackFailure | undefined {
    this.#entries += 1;
    return this.expectEntries(this.#entries);
  }

  /** Where the number is known before the first of them. */
  expectEntries(entries: number): PackFailure | undefined {
    return entries > this.#limits.files * ENTRIES_PER_FILE ? this.#tooMany("files") : undefined;
  }

  /** For what is read past: it costs as much as what is kept. */
  skipBytes(bytes: number): PackFailure | undefined {
    this.#skipped += bytes;
    return this.#checkBytes();
  }

  #checkBytes(): PackFailure | undefined {
    if (this.bytes + this.#skipped <= this.#limits.bytes) return undefined;
    const message = `the pack unpacks to more than ${this.#limits.bytes} bytes`;
    return refuse("limit-exceeded", message);
  }

  leaveOut(reason: string): void {
    this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + 1);
  }

  /** What a person should know. */
  get notes(): string[] {
    const notes: string[] = [];
    if (this.#leftOut.size > 0) {
      const names = Array.from(this.#leftOut.keys()).sort().join(", ");
      notes.push(`left out what is no part of a skill: ${names}`);
    }
    if (this.#archives.length > 0) {
      notes.push(`kept as files and not opened: ${quoteNames(this.#archives)}`);
    }
    return notes;
  }

  #count(path: string, size: number): PackFailure | undefined {
    this.files += 1;
    // The pack's own takes no skill's place.
    if (path !== MANIFEST_FILE) this.#counted += 1;
    if (this.#counted > this.#limits.files) return this.#tooMany("files");
    this.bytes += size;
    return this.#checkBytes();
  }

  #tooMany(what: string): PackFailure {
    return refuse("limit-exceeded", `the pack has more than ${this.#limits.files} ${what}`);
  }
}

export function refuseEntry(name: string, problem: string): PackFailure {
  return refuse("archive-unsafe", `the entry ${quoteName(name)} ${problem}`);
}

export function invalidEntry(name: string, problem: string): PackFailure {
  return refuse("archive-invalid", `the entry ${quoteName(name)} ${problem}`);
}
