import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FolderFile } from "../lock/read-folder.ts";
import { relativePathProblem } from "../lock/relative-path-problem.ts";

/** Writes files into a folder that must not exist yet. Neither is synced: staging does that. */
export function writeFolder(files: Iterable<FolderFile>, destination: string): void {
  mkdirSync(destination);
  for (const { path, bytes, executable } of files) {
    const problem = relativePathProblem(path);
    if (problem !== undefined) throw new Error(`the path ${JSON.stringify(path)} ${problem}`);
    const file = join(destination, ...path.split("/"));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes, { flag: "wx", mode: executable ? 0o755 : 0o644 });
  }
}
