import { createHash } from "node:crypto";
import { join } from "node:path";
import { readRegularFile, writeAtomic } from "@skillwright/core/internal";
import type { Redactor } from "@skillwright/runtime";

interface HistoryPlace {
  readonly stateDirectory: string;
  readonly project: string;
  readonly redactor: Redactor;
}

const MAX_ENTRIES = 500;
/** What is longer was pasted, and is in the record of its run. */
const MAX_ENTRY_LENGTH = 4000;
const MAX_FILE_BYTES = 8 * 1024 * 1024;

/**
 * What was typed in a project, oldest first: readable by its user only, bounded, without secrets.
 * Errors of the file are ignored.
 */
export class InputHistory {
  readonly #file: string;
  readonly #redactor: Redactor;
  #entries: readonly string[];

  constructor({ stateDirectory, project, redactor }: HistoryPlace) {
    const name = createHash("sha256").update(project).digest("hex").slice(0, 24);
    this.#file = join(stateDirectory, "chat", `${name}.json`);
    this.#redactor = redactor;
    this.#entries = readEntries(this.#file);
  }

  get entries(): readonly string[] {
    return this.#entries;
  }

  add(text: string): void {
    if (text.trim() === "" || text.length > MAX_ENTRY_LENGTH) return;
    this.#entries = withEntry(this.#entries, text);
    // Another conversation in the same project may have written since.
    const stored = withEntry(readEntries(this.#file), this.#redactor.redactText(text));
    writeEntries(this.#file, stored);
  }
}

function withEntry(entries: readonly string[], text: string): readonly string[] {
  return entries.at(-1) === text ? entries : [...entries, text].slice(-MAX_ENTRIES);
}

function readEntries(file: string): readonly string[] {
  try {
    const text = readRegularFile(file, { maxBytes: MAX_FILE_BYTES }).toString("utf8");
    const { entries } = JSON.parse(text) as { readonly entries?: unknown };
    if (!Array.isArray(entries)) return [];
    return entries.filter((entry) => typeof entry === "string").slice(-MAX_ENTRIES);
  } catch {
    return [];
  }
}

function writeEntries(file: string, entries: readonly string[]): void {
  try {
    writeAtomic(file, `${JSON.stringify({ schemaVersion: 1, entries })}\n`);
  } catch {
    // A chat goes on without a history.
  }
}
