import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** What belongs to a record. All but the record itself is in the user's state. */
export interface AuditPlace {
  readonly file: string;
  readonly key: string;
  readonly head: string;
  readonly lock: string;
}

/**
 * A record is known by its path: so the state can tell that one is missing or another stands in its
 * place. Its folder is its real path, so that a link to it is not another folder.
 */
export function auditPlace(file: string, stateDirectory: string): AuditPlace {
  const path = join(realFolder(dirname(resolve(file))), basename(file));
  const name = createHash("sha256").update(path).digest("hex").slice(0, 32);
  const folder = join(resolve(stateDirectory), "audit");
  return {
    file: path,
    key: join(folder, "key"),
    head: join(folder, "heads", `${name}.head`),
    lock: join(folder, "heads", `${name}.lock`),
  };
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
