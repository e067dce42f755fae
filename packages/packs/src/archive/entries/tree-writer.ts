import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { CREATE_FLAGS } from "@skillwright/core/internal";
import type { PackFailure } from "../../pack-failure.ts";
import { unwritable } from "../refuse.ts";

/**
 * Writes plain files below a folder that was empty. Every folder on the way is one that it made, so
 * nothing leads elsewhere. Paths must have passed the gate.
 */
export class TreeWriter {
  readonly #destination: string;
  /** The gate's list: grows there, is made here. */
  readonly #folders: readonly string[];
  #foldersMade = 0;
  #descriptor: number | undefined;

  constructor(destination: string, folders: readonly string[]) {
    this.#destination = destination;
    this.#folders = folders;
  }

  /** Makes the folders that the gate has admitted since the last call. */
  makeFolders(): PackFailure | undefined {
    try {
      for (; this.#foldersMade < this.#folders.length; this.#foldersMade++) {
        mkdirSync(`${this.#destination}/${this.#folders[this.#foldersMade]}`, 0o755);
      }
      return undefined;
    } catch (error) {
      return unwritable(error);
    }
  }

  write(path: string, isExecutable: boolean, content: Uint8Array): PackFailure | undefined {
    return this.open(path, isExecutable) ?? this.append(content) ?? this.close();
  }

  /** For what comes in parts: one file at a time. */
  open(path: string, isExecutable: boolean): PackFailure | undefined {
    try {
      const mode = isExecutable ? 0o755 : 0o644;
      this.#descriptor = openSync(`${this.#destination}/${path}`, CREATE_FLAGS, mode);
      return undefined;
    } catch (error) {
      return unwritable(error);
    }
  }

  append(content: Uint8Array): PackFailure | undefined {
    if (this.#descriptor === undefined) throw new Error("no file is open");
    try {
      for (let done = 0; done < content.length;) {
        done += writeSync(this.#descriptor, content, done);
      }
      return undefined;
    } catch (error) {
      return unwritable(error);
    }
  }

  close(): PackFailure | undefined {
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    try {
      if (descriptor !== undefined) closeSync(descriptor);
      return undefined;
    } catch (error) {
      return unwritable(error);
    }
  }
}
