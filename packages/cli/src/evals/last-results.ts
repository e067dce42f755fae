import { createHash } from "node:crypto";
import { join } from "node:path";
import type { SessionPlace } from "../session.ts";

/** Where the results of the last eval of a project are kept, for `eval report` and `eval lint`. */
export function lastResultsFile({ project, stateDirectory }: SessionPlace): string {
  const name = createHash("sha256").update(project).digest("hex").slice(0, 24);
  return join(stateDirectory, "evals", `last-${name}.json`);
}
