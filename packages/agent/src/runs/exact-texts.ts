import {
  APPEND_FLAGS,
  errorCode,
  makeFolder,
  readIfPresent,
  UnusableFileError,
} from "@skillwright/core/internal";
import { AuditError } from "@skillwright/runtime";
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  lstatSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type ExactTexts, isRunId } from "./run-store.ts";

/** The longest text that Node can hold. */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Exact texts in `exact-texts/<run>.jsonl` below the user's state, for the user's eyes only. The first line
 * is the folder of the run, since all projects share the state.
 */
export class FileTexts implements ExactTexts {
  readonly #directory: string;
  readonly #folderOf: (runId: string) => string;

  constructor(stateDirectory: string, folderOf: (runId: string) => string) {
    this.#directory = join(stateDirectory, "exact-texts");
    this.#folderOf = folderOf;
  }

  async put(runId: string, texts: readonly (readonly [number, unknown])[]): Promise<void> {
    const file = this.#file(runId);
    const lines = existsSync(file) ? texts : [[0, this.#folderOf(runId)], ...texts];
    asAuditError(this.#directory, () => {
      makeFolder(this.#directory);
      const descriptor = openSync(file, APPEND_FLAGS, 0o600);
      try {
        writeSync(descriptor, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
        fdatasyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    });
  }

  async get(runId: string): Promise<ReadonlyMap<number, unknown>> {
    return new Map(this.#lines(runId).filter(([sequence]) => sequence > 0));
  }

  async remove(runId: string): Promise<void> {
    this.removeNow(runId);
  }

  removeNow(runId: string): void {
    if (!isRunId(runId) || !this.#isThere) return;
    asAuditError(this.#directory, () => rmSync(this.#file(runId), { force: true }));
  }

  /** Removes the texts of runs of this folder that are gone. */
  removeOrphans(): void {
    if (!this.#isThere) return;
    for (const name of readdirSync(this.#directory)) {
      const runId = name.endsWith(".jsonl") ? name.slice(0, -".jsonl".length) : "";
      if (!isRunId(runId) || lstatSync(this.#folderOf(runId), { throwIfNoEntry: false })) continue;
      const folder = this.#lines(runId).find(([sequence]) => sequence === 0)?.[1];
      if (folder === this.#folderOf(runId)) this.removeNow(runId);
    }
  }

  get #isThere(): boolean {
    return statSync(this.#directory, { throwIfNoEntry: false })?.isDirectory() === true;
  }

  #lines(runId: string): readonly [number, unknown][] {
    if (!isRunId(runId) || !this.#isThere) return [];
    const bytes = asAuditError(this.#directory, () =>
      readIfPresent(this.#file(runId), { maxBytes: MAX_BYTES }),
    );
    return (bytes?.toString("utf8").split("\n").slice(0, -1) ?? []).flatMap(parsedText);
  }

  #file(runId: string): string {
    if (!isRunId(runId)) throw new TypeError(`${JSON.stringify(runId)} cannot name a run`);
    return join(this.#directory, `${runId}.jsonl`);
  }
}

/** Something else is in the way, or the disk is full. */
function asAuditError<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof UnusableFileError) && errorCode(cause) === undefined) throw cause;
    const message = `exact texts of runs cannot be kept in ${folder}: ${(cause as Error).message}`;
    const hint = "Look what is in the way there, then move it away.";
    throw new AuditError("audit-unwritable", message, { cause, hint });
  }
}

/** A crash may leave a line half-written, which is skipped. */
function parsedText(line: string): [number, unknown][] {
  try {
    return [JSON.parse(line) as [number, unknown]];
  } catch {
    return [];
  }
}
