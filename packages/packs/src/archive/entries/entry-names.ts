import { quoteName } from "@skillwright/core/internal";
import { foldName } from "./fold-name.ts";

interface Taken {
  readonly path: string;
  readonly isFolder: boolean;
}

/** The names of a pack so far, and the folders that they need. */
export class EntryNames {
  /** Each once, parents first. */
  readonly folders: string[] = [];
  readonly #taken = new Map<string, Taken>();
  readonly #known = new Set<string>();

  /** Takes a name, or says why it cannot stand beside the others. */
  add(path: string, isFolder: boolean): string | undefined {
    const end = path.lastIndexOf("/");
    const problem = end === -1 ? undefined : this.#addFolder(path.slice(0, end));
    if (problem !== undefined) return problem;
    return isFolder ? this.#addFolder(path) : this.#addFile(path);
  }

  #addFolder(path: string): string | undefined {
    if (this.#known.has(path)) return undefined;
    const end = path.lastIndexOf("/");
    const problem = end === -1 ? undefined : this.#addFolder(path.slice(0, end));
    if (problem !== undefined) return problem;
    const key = foldName(path);
    const other = this.#taken.get(key);
    if (other !== undefined) return collision({ path, isFolder: true }, other);
    this.#taken.set(key, { path, isFolder: true });
    this.#known.add(path);
    this.folders.push(path);
    return undefined;
  }

  #addFile(path: string): string | undefined {
    const key = foldName(path);
    const other = this.#taken.get(key);
    if (other !== undefined) return collision({ path, isFolder: false }, other);
    this.#taken.set(key, { path, isFolder: false });
    return undefined;
  }
}

function collision(one: Taken, other: Taken): string {
  if (one.path !== other.path) {
    return `has a name that many systems take for that of ${quoteName(other.path)}`;
  }
  return one.isFolder === other.isFolder ? "is there twice" : "is both a file and a folder";
}
