import { lstatSync, mkdirSync, realpathSync, type Stats } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { errorCode } from "@skillwright/core/internal";
import { AuditError } from "@skillwright/runtime";

/** Letters that need no quoting and lead nowhere: no separator, no `..`, no option. */
const RUN_ID = /^[A-Za-z0-9](?:[\w-]|\.(?!\.)){0,199}$/;

export function isRunId(runId: string): boolean {
  return RUN_ID.test(runId) && !runId.endsWith(".");
}

/**
 * A folder below a root that may be anyone's: what is a link on the way there is refused, since it
 * would lead out. The root itself may be reached by links.
 */
export class RunFolder {
  readonly #root: string;
  readonly #parts: readonly string[];

  constructor(root: string, directory: string) {
    this.#root = root;
    this.#parts = directory.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
    if (isAbsolute(directory) || this.#parts.includes("..") || this.#parts.length === 0) {
      throw new TypeError(`runs are kept below the project, not in ${JSON.stringify(directory)}`);
    }
  }

  /** The real path of a folder below this one; undefined when it is not there. */
  find(...names: readonly string[]): string | undefined {
    let path = this.#realRoot();
    for (const name of [...this.#parts, ...names]) {
      path = join(path, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return undefined;
      requireFolder(path, stats);
    }
    return path;
  }

  /** The same, made where it is missing. */
  make(...names: readonly string[]): string {
    let path = this.#realRoot();
    for (const name of [...this.#parts, ...names]) {
      path = join(path, name);
      const stats = lstatSync(path, { throwIfNoEntry: false }) ?? makeStep(path);
      requireFolder(path, stats);
    }
    return path;
  }

  #realRoot(): string {
    return realpathSync(resolve(this.#root));
  }
}

/** One folder, in one that was checked: `makeFolder` would follow links. */
function makeStep(path: string): Stats {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster; what it made is checked all the same.
    if (errorCode(error) !== "EEXIST") throw unwritable(path, error);
  }
  return lstatSync(path);
}

function requireFolder(path: string, stats: Stats): void {
  if (stats.isDirectory()) return;
  const what = stats.isSymbolicLink() ? "is a link" : "is no folder";
  throw new AuditError("audit-unwritable", `${path} ${what}, so no run is kept there`, {
    hint: "Look where it comes from, then remove it.",
  });
}

function unwritable(path: string, cause: unknown): AuditError {
  const { message } = cause as Error;
  return new AuditError("audit-unwritable", `cannot make ${path}: ${message}`, { cause });
}
