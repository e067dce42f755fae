import { lstatSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/**
 * Finds repositories inside of a project: they are projects of their own, with other authors. Costs a
 * look for each skill and, once, for each folder above one.
 */
export class NestedRepositories {
  readonly #project: string;
  readonly #known = new Map<string, string | undefined>();

  constructor(project: string) {
    this.#project = project;
  }

  /** The innermost repository between the project, or a root outside of it, and a skill's folder. */
  around(skill: string, root: string): string | undefined {
    const isInProject = `${skill}${sep}`.startsWith(`${this.#project}${sep}`);
    const outer = isInProject ? this.#project : root;
    if (skill === outer) return undefined;
    return isRepository(skill) ? skill : this.#above(dirname(skill), outer);
  }

  #above(folder: string, outer: string): string | undefined {
    if (folder === outer || folder === dirname(folder)) return undefined;
    if (!this.#known.has(folder)) {
      const found = isRepository(folder) ? folder : this.#above(dirname(folder), outer);
      this.#known.set(folder, found);
    }
    return this.#known.get(folder);
  }
}

/** A submodule has a file of this name, a clone a folder. */
function isRepository(folder: string): boolean {
  try {
    return lstatSync(join(folder, ".git"), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
