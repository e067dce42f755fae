import { type Diagnostic, lintSkill, type ParsedSkill } from "@skillwright/core";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import { writeFolder } from "../merge/write-folder.ts";
import type { PackFailure } from "../pack-failure.ts";
import type { PackedFile } from "./collect-files.ts";

export interface LintedSkill {
  readonly ok: true;
  readonly skill: ParsedSkill;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Lints the files that will be packed, not the folder: what is left out has no findings, and a
 * reference to it is a dead one.
 */
export async function lintFiles(
  directory: string,
  files: readonly PackedFile[],
  strict: boolean,
): Promise<LintedSkill | PackFailure> {
  const temporary = await mkdtemp(join(tmpdir(), "skillwright-pack-"));
  try {
    const copy = join(temporary, basename(resolve(directory)) || "skill");
    const copies = files.map(({ path, content, executable }) => {
      return { path, bytes: content, executable };
    });
    writeFolder(copies, copy);
    const { skill, diagnostics } = await lintSkill(copy, { strict });
    return judge(
      skill,
      diagnostics.map((found) => ({ ...found, file: join(directory, relative(copy, found.file)) })),
      strict,
      directory,
    );
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
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
