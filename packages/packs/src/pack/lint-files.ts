import { type Diagnostic, lintSkill, type ParsedSkill } from "@skillwright/core";
import { join, relative, resolve } from "node:path";
import type { PackFailure } from "../pack-failure.ts";
import type { PackedFile } from "./collect-files.ts";

export interface LintedSkill {
  readonly ok: true;
  readonly skill: ParsedSkill;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Lints the files that will be packed, not the folder: what is left out has no findings, and
 * references to it are dead.
 */
export async function lintFiles(
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
