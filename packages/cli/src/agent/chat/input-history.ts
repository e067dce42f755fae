import { createHash, randomBytes } from "node:crypto";
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder } from "@skillwright/core/internal";
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
 * What was typed in a project, the oldest first: for its user only, bounded, and without secrets.
 * A history that cannot be read or written is no reason not to talk.
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
    const status = lstatSync(file);
    if (!status.isFile() || status.size > MAX_FILE_BYTES) return [];
    const { entries } = JSON.parse(readFileSync(file, "utf8")) as { readonly entries?: unknown };
    if (!Array.isArray(entries)) return [];
    return entries.filter((entry) => typeof entry === "string").slice(-MAX_ENTRIES);
  } catch {
    return [];
  }
}

function writeEntries(file: string, entries: readonly string[]): void {
  const temporary = `${file}.${randomBytes(6).toString("hex")}`;
  const text = `${JSON.stringify({ schemaVersion: 1, entries })}\n`;
  try {
    makeFolder(dirname(file));
    writeFileSync(temporary, text, { mode: 0o600, flag: "wx" });
    renameSync(temporary, file);
  } catch {
    removeQuietly(temporary);
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // There is not even a folder.
  }
}
