import type { PackFailure } from "../../pack-failure.ts";
import type { RunOptions } from "../program/run-program.ts";
import { gitFailure } from "./git-failure.ts";
import type { TreeEntry } from "./list-tree.ts";
import type { Git } from "./open-git.ts";

/**
 * Writes exactly these files: they become a tree of their own, so that git asks the server for
 * their content at once and for nothing else.
 */
export async function checkOut(
  git: Git,
  source: string,
  files: readonly TreeEntry[],
  isTooMuch: NonNullable<RunOptions["isTooMuch"]>,
): Promise<{ readonly ok: true } | PackFailure> {
  const place = `--work-tree=${git.tree}`;
  const input = files.map(({ mode, object, path }) => `${mode} ${object}\t${path}\0`).join("");
  const indexed = await git.run([place, "update-index", "-z", "--index-info"], { input });
  if (indexed.status !== 0) return gitFailure(source, indexed);
  const written = await git.run(["write-tree", "--missing-ok"]);
  if (written.status !== 0) return gitFailure(source, written);
  const tree = written.stdout.toString("utf8").trim();
  const emptied = await git.run(["read-tree", "--empty"]);
  if (emptied.status !== 0) return gitFailure(source, emptied);
  const placed = await git.run([place, "read-tree", "-m", "-u", tree], { isTooMuch });
  if (placed.ended !== "exit" || placed.status !== 0) return gitFailure(source, placed);
  return { ok: true };
}
