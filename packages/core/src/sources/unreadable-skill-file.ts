import { readdirSync } from "node:fs";
import { skillFileMissing } from "../directory/rules/skill-file-missing.ts";
import { skillFileUnreadable } from "../directory/rules/skill-file-unreadable.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import { rootDiagnostic } from "./root-diagnostic.ts";

/** Why a SKILL.md that is there cannot be read, from the system's code. */
export function unreadableSkillFile(file: string, code: string): Diagnostic {
  const message =
    code === "ELOOP"
      ? "SKILL.md is a link; links inside a skill are refused"
      : `SKILL.md cannot be read: ${code}`;
  return rootDiagnostic(skillFileUnreadable, file, message);
}

/** A file that only looks like a SKILL.md. */
export function misnamedSkillFile(file: string, name: string): Diagnostic {
  const message = `the file is named \`${name}\`, not \`SKILL.md\``;
  return rootDiagnostic(skillFileMissing, file, message);
}

/** The name of a file that only looks like a SKILL.md. */
export function similarFile(folder: string): string | undefined {
  try {
    return readdirSync(folder).find((name) => name.toLowerCase() === "skill.md");
  } catch {
    return undefined;
  }
}
