import { type Diagnostic, lintSkill } from "@skillwright/core";
import { combineDigests, nameProblem, type ParsedSkill } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { join, relative, resolve } from "node:path";
import { EntryNames } from "../archive/entries/entry-names.ts";
import type { PackFailure } from "../pack-failure.ts";
import { collectFiles, type CollectOptions, type PackedFile } from "./collect-files.ts";
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

interface LintedSkill {
  readonly ok: true;
  readonly skill: ParsedSkill;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Lints the files that will be packed, not the folder: what is left out has no findings, and
 * references to it are dead.
 */
async function lintFiles(
  directory: string,
  files: readonly PackedFile[],
  strict: boolean,
): Promise<LintedSkill | PackFailure> {
  const contents = files.map(({ path, content, executable }) => {
    return { path, bytes: content, executable };
  });
  const { skill, diagnostics } = await lintSkill(directory, { strict, files: contents });
  const named = diagnostics.map((found) => {
    return { ...found, file: join(directory, relative(resolve(directory), found.file)) };
  });
  return judge(skill, named, strict, directory);
}

function judge(
  skill: ParsedSkill | undefined,
  diagnostics: readonly Diagnostic[],
  strict: boolean,
  directory: string,
): LintedSkill | PackFailure {
  const fatal = diagnostics.filter(
    ({ severity }) => severity === "error" || (strict && severity === "warning"),
  );
  const [first] = fatal;
  if (first !== undefined) {
    const more = fatal.length > 1 ? ` (and ${fatal.length - 1} more)` : "";
    const place = `${first.file}:${first.line}:${first.column}`;
    return {
      ok: false,
      code: first.code === "skill-file-missing" ? "skill-missing" : "skill-invalid",
      message: `${place}: ${first.message} [${first.code}]${more}`,
      hint: first.hint ?? `see all with \`skillwright lint ${directory}\``,
    };
  }
  if (skill !== undefined) return { ok: true, skill, diagnostics };
  const message = `${JSON.stringify(directory)} is not a skill that can be used`;
  return { ok: false, code: "skill-invalid", message };
}
