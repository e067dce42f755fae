import type { PackFailure } from "../../pack-failure.ts";
import { gitFailure } from "./git-failure.ts";
import type { Git } from "./open-git.ts";

export interface TreeEntry {
  readonly kind: "file" | "link" | "submodule";
  /** Of a file: executable or not; git knows nothing else. */
  readonly mode: "100644" | "100755";
  readonly object: string;
  /** From the root of the repository. */
  readonly path: string;
}

const KINDS = new Map<string, TreeEntry["kind"]>([
  ["120000", "link"],
  ["160000", "submodule"],
]);

/** All files of a commit by name and kind, without their content. */
export async function listTree(
  git: Git,
  source: string,
  commit: string,
): Promise<{ readonly ok: true; readonly entries: readonly TreeEntry[] } | PackFailure> {
  const result = await git.run(["ls-tree", "-r", "-z", "--full-tree", commit]);
  if (result.ended !== "exit" || result.status !== 0) return gitFailure(source, result);
  const entries: TreeEntry[] = [];
  for (const record of result.stdout.toString("utf8").split("\0")) {
    const [, mode = "", object = "", path = ""] =
      /^(\d{6}) \S+ ([0-9a-f]{40,64})\t(.*)$/s.exec(record) ?? [];
    if (path === "") continue;
    const isExecutable = (Number.parseInt(mode, 8) & 0o100) !== 0;
    const kind = KINDS.get(mode) ?? "file";
    entries.push({ kind, mode: isExecutable ? "100755" : "100644", object, path });
  }
  return { ok: true, entries };
}
