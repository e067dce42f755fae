import type { Command } from "commander";
import { quoteLine, visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { type Candidate, FILES, FOLDERS } from "./candidate.ts";
import { findCandidates } from "./find-candidates.ts";
import { knownNames } from "./known-names.ts";

export interface CompleteOptions {
  /** The word at the cursor is empty, and the shell could not pass it. */
  readonly empty?: boolean;
}

const MAX_DESCRIPTION = 60;

/**
 * Answers the scripts of `completion`: a line per candidate, its description behind a tab. Nobody
 * asked for an error at a tab, so that whatever fails is as good as no answer.
 */
export async function completeCommand(
  words: readonly string[],
  { empty = false }: CompleteOptions,
  program: Command,
  console: Console,
): Promise<ExitCode> {
  const candidates = await findCandidates(
    program,
    empty ? [...words, ""] : words,
    knownNames(console),
  ).catch(() => []);
  for (const candidate of candidates) {
    if (isHarmless(candidate)) console.print(lineOf(candidate));
  }
  return EXIT.done;
}

/** What cannot be shown as it is, would be an option or one of our own signs, is not offered. */
function isHarmless(candidate: Candidate): boolean {
  const { value } = candidate;
  if (candidate === FILES || candidate === FOLDERS) return true;
  return value !== "" && !value.startsWith(":") && visibleLine(value) === value;
}

function lineOf({ value, description = "" }: Candidate): string {
  const shown = quoteLine(description, MAX_DESCRIPTION);
  return shown === "" ? value : `${value}\t${shown}`;
}
