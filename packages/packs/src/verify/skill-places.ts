import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";

/** What stands where the lock says a skill's folder is. */
export type Place =
  /** `directory` is a real path below the base. */
  | { readonly kind: "folder"; readonly directory: string }
  | { readonly kind: "link" }
  | { readonly kind: "missing" }
  | {
      readonly kind: "refused";
      readonly code: "outside" | "special-file" | "unreadable";
      readonly message: string;
    };

/** A folder that holds skills, and what it held when it was listed. */
interface Parent {
  readonly directory: string;
  readonly children: ReadonlyMap<string, Dirent>;
}

/**
 * Finds folders below a base. A root may be a link to another folder of the same base; what leads
 * out of it is refused. Each folder is listed once, which tells what its children are.
 */
export class SkillPlaces {
  readonly #base: string;
  readonly #parents = new Map<string, Parent | Place>();

  constructor(base: string) {
    this.#base = base;
  }

  /** `path` is relative to the base, checked, with `/`. */
  find(path: string): Place {
    const cut = path.lastIndexOf("/");
    const parent = this.#parent(path.slice(0, Math.max(cut, 0)));
    if ("kind" in parent) return parent;
    const name = path.slice(cut + 1);
    const child = parent.children.get(name);
    if (child === undefined) return { kind: "missing" };
    if (child.isSymbolicLink()) return { kind: "link" };
    if (child.isDirectory()) return { kind: "folder", directory: parent.directory + sep + name };
    return { kind: "refused", code: "special-file", message: `${path} is not a folder` };
  }

  /** What lies in a root of skills, or why that cannot be told. */
  children(root: string): readonly Dirent[] | Place {
    const parent = this.#parent(root);
    return "kind" in parent ? parent : [...parent.children.values()];
  }

  /** The real folders between the base and the skills that were looked for, the base among them. */
  folders(): string[] {
    const folders = new Set<string>();
    for (const parent of this.#parents.values()) {
      if ("kind" in parent) continue;
      const base = realpathSync.native(this.#base);
      const segments = relative(base, parent.directory).split(sep);
      for (let count = 0; count <= segments.length; count++) {
        folders.add(join(base, ...segments.slice(0, count)));
      }
    }
    return [...folders];
  }

  #parent(path: string): Parent | Place {
    let parent = this.#parents.get(path);
    if (parent === undefined) {
      parent = this.#readParent(path);
      this.#parents.set(path, parent);
    }
    return parent;
  }

  #readParent(path: string): Parent | Place {
    try {
      const directory = realpathSync.native(join(this.#base, path));
      const way = relative(realpathSync.native(this.#base), directory);
      if (isAbsolute(way) || way.split(sep)[0] === "..") {
        const message = `${path} leads out of ${this.#base}; what lies there is not read`;
        return { kind: "refused", code: "outside", message };
      }
      const children = readdirSync(directory, { withFileTypes: true });
      return { directory, children: new Map(children.map((child) => [child.name, child])) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return { kind: "missing" };
      const message = `${path} cannot be read: ${code ?? "unknown reason"}`;
      return { kind: "refused", code: "unreadable", message };
    }
  }
}
