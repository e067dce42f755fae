import { combineDigests, type Diagnostic, nameProblem } from "@skillwright/core";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { EntryNames } from "../archive/entries/entry-names.ts";
import type { PackFailure } from "../pack-failure.ts";
import { collectFiles, type CollectOptions, type PackedFile } from "./collect-files.ts";
import { lintFiles } from "./lint-files.ts";
import type { ManifestSkill } from "./manifest.ts";
import { portablePathProblem } from "./portable-path.ts";

/** A skill that was read and checked, with what the manifest says about it. */
export interface PreparedSkill {
  readonly ok: true;
  readonly entry: ManifestSkill;
  readonly files: readonly PackedFile[];
  /** How many folders it has below its own. */
  readonly folders: number;
  readonly diagnostics: readonly Diagnostic[];
  readonly leftOut: readonly string[];
}

export async function prepareSkill(
  directory: string,
  options: CollectOptions & { readonly strict: boolean },
): Promise<PreparedSkill | PackFailure> {
  const collected = await collectFiles(directory, options);
  if (!collected.ok) return collected;
  const { files, leftOut } = collected;
  const linted = await lintFiles(directory, files, options.strict);
  if (!linted.ok) return linted;
  const { name, description, version } = linted.skill;
  const problem = nameProblem(name) ?? portablePathProblem(name);
  if (problem !== undefined) {
    const message = `the name ${JSON.stringify(name)} of ${JSON.stringify(directory)} ${problem}`;
    return { ok: false, code: "skill-invalid", message };
  }
  const names = new EntryNames();
  for (const { path } of files) {
    const unfit = pathProblem(path, name) ?? names.add(path, false);
    if (unfit === undefined) continue;
    const message = `${JSON.stringify(join(directory, path))} ${unfit}`;
    return { ok: false, code: "skill-invalid", message, hint: "rename the file" };
  }
  const listed = files.map(({ path, content, executable }) => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    const file = { path, sha256, size: content.length };
    return executable ? ({ ...file, executable } as const) : file;
  });
  const entry: ManifestSkill = {
    name,
    path: name,
    ...(version === undefined ? undefined : { version }),
    description,
    digest: combineDigests(listed),
    files: listed,
  };
  const folders = names.folders.length;
  return { ok: true, entry, files, folders, diagnostics: linted.diagnostics, leftOut };
}

/** As it is in the skill, and as it is in the archive. */
function pathProblem(path: string, name: string): string | undefined {
  return portablePathProblem(path) ?? portablePathProblem(`${name}/${path}`);
}
