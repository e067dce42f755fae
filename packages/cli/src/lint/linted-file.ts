import type { Diagnostic } from "@skillwright/core";
import { resolve } from "node:path";

/** A SKILL.md and what the linter has to say about its skill. */
export interface LintedFile {
  readonly file: string;
  /** Normalised (LF newlines, no BOM), as positions and edits count; empty when not available. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether a diagnostic points into `text`: those of a skill may be about its other files. */
export function pointsIntoText(linted: LintedFile, diagnostic: Diagnostic): boolean {
  return linted.text !== "" && resolve(linted.file) === resolve(diagnostic.file);
}

/** For formats that have no place of their own for a hint. */
export function messageWithHint({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message}\nhint: ${hint}`;
}
