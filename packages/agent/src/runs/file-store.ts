import {
  APPEND_FLAGS,
  errorCode,
  makeFolder,
  readIfPresent,
  readRegularFile,
  UnusableFileError,
  writeAtomic,
  writeNew,
} from "@skillwright/core/internal";
import {
  acceptAudits,
  AuditError,
  type AuditList,
  type AuditRecord,
  type AuditVerification,
  finishRemovals,
  listAudits,
  openAudit,
  type Redactor,
  removeAudit,
  verifyAudit,
} from "@skillwright/runtime";
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { type ExactTexts, requireSequence, type RunLog, type RunStore } from "./run-store.ts";
import { summarizeRun } from "./summarize-run.ts";

/** Letters that need no quoting and lead nowhere: no separator, no `..`, no option. */
const RUN_ID = /^[A-Za-z0-9](?:[\w-]|\.(?!\.)){0,199}$/;

export function isRunId(runId: string): boolean {
  return RUN_ID.test(runId) && !runId.endsWith(".");
}

/**
 * A folder below a root that may be anyone's: what is a link on the way there is refused, since it
 * would lead out. The root itself may be reached by links.
 */
class RunFolder {
  readonly #root: string;
  readonly #parts: readonly string[];

  constructor(root: string, directory: string) {
    this.#root = root;
    this.#parts = directory.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
    if (isAbsolute(directory) || this.#parts.includes("..") || this.#parts.length === 0) {
      throw new TypeError(`runs are kept below the project, not in ${JSON.stringify(directory)}`);
    }
  }

  /** Where the runs are or would be. */
  get path(): string {
    return join(this.#realRoot(), ...this.#parts);
  }

  /** The real path of a folder below this one; undefined when it is not there. */
  find(...names: readonly string[]): string | undefined {
    let path = this.#realRoot();
    for (const name of [...this.#parts, ...names]) {
      path = join(path, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return undefined;
      requireFolder(path, stats);
    }
    return path;
  }

  /** The same, made where it is missing. */
  make(...names: readonly string[]): string {
    let path = this.#realRoot();
    for (const name of [...this.#parts, ...names]) {
      path = join(path, name);
      const stats = lstatSync(path, { throwIfNoEntry: false }) ?? makeStep(path);
      requireFolder(path, stats);
    }
    return path;
  }

  #realRoot(): string {
    return realpathSync(resolve(this.#root));
  }
}

/** One folder, in one that was checked: `makeFolder` would follow links. */
function makeStep(path: string): Stats {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been faster; what it made is checked all the same.
    if (errorCode(error) !== "EEXIST") throw unwritable(path, error);
  }
  return lstatSync(path);
}

function requireFolder(path: string, stats: Stats): void {
  if (stats.isDirectory()) return;
  const what = stats.isSymbolicLink() ? "is a link" : "is no folder";
  throw new AuditError("audit-unwritable", `${path} ${what}, so no run is kept there`, {
    hint: "Look where it comes from, then remove it.",
  });
}

function unwritable(path: string, cause: unknown): AuditError {
  const { message } = cause as Error;
  return new AuditError("audit-unwritable", `cannot make ${path}: ${message}`, { cause });
}

export interface FileStoreOptions {
  /** The project. Below it no link is followed. */
  readonly root: string;
  /** Below the project. Default: `.agent/runs`. */
  readonly directory?: string;
  /** Where the key and the heads of records are; nothing that a run does may write there. */
  readonly stateDirectory: string;
  /** To be made with `maxStringLength: MAX_TEXT`, or long instructions are cut. */
  readonly redactor: Redactor;
}

export interface FileStore extends RunStore {
  readonly stateDirectory: string;
  /** The folder of a run; undefined when there is none. */
  folderOf(runId: string): string | undefined;
  /** Every line of the record against the user's key and head; undefined when there is no such run. */
  verify(runId: string): Promise<AuditVerification | undefined>;
  /** Removes a run as a whole; false when somebody writes its record. */
  remove(runId: string): boolean;
  /** Removes what is left of runs whose removal was cut off. */
  removeRemains(): void;
  /** Finds runs of the project that were deleted without `remove`. */
  compare(): Promise<AuditList>;
  /** The same, and takes what is there as complete from now on. */
  accept(): Promise<AuditList>;
  /** Makes `run.json` from the record. */
  summarize(runId: string): Promise<void>;
  /** Whether `run.json` is there and says what the record gives. */
  isSummarized(runId: string): Promise<boolean>;
}

export const RECORD_FILE = "events.jsonl";
const SUMMARY_FILE = "run.json";
const OUTPUTS = "outputs";
/** Below the state directory. */
const EXACT_TEXTS = "exact-texts";
const IGNORE_ALL = "*\n";
/** No text of Node is longer. */
const MAX_RECORD_BYTES = 512 * 1024 * 1024;
/** It was cut off before anything was written, so nothing is missing. */
const NEVER_BEGUN: AuditVerification = {
  ok: true,
  records: 0,
  log: "",
  recovered: 0,
  interrupted: 0,
};

/** Keeps each run in a folder of its own, with its record, a summary and its long outputs. */
export function createFileStore(options: FileStoreOptions): FileStore {
  const { root, directory = ".agent/runs", stateDirectory, redactor } = options;
  const runs = new RunFolder(root, directory);
  const exactTexts = fileExactTexts(stateDirectory);
  const find = (runId: string) => (isRunId(runId) ? runs.find(runId) : undefined);
  const verify = async (runId: string) => {
    const folder = find(runId);
    if (folder === undefined) return undefined;
    const file = join(folder, RECORD_FILE);
    const verification = await verifyAudit(file, { stateDirectory });
    return isEmpty(file) && isUnknown(verification) ? NEVER_BEGUN : verification;
  };
  const read = async (runId: string) => {
    const folder = find(runId);
    if (folder === undefined) return undefined;
    const file = join(folder, RECORD_FILE);
    requireSound(runId, (await verify(runId)) ?? NEVER_BEGUN);
    return existsSync(file) ? readRecords(file) : [];
  };
  return {
    stateDirectory,
    exactTexts,
    async create(runId) {
      if (!isRunId(runId)) throw new TypeError(`${JSON.stringify(runId)} cannot name a run`);
      ignoreRuns(runs.make());
      const folder = join(runs.make(), runId);
      mkdirSync(folder, { mode: 0o700 });
      return openLog({ runId, folder, runs, stateDirectory, redactor });
    },
    async open(runId) {
      const folder = find(runId);
      if (folder === undefined) return undefined;
      ignoreRuns(runs.make());
      const log = openLog({ runId, folder, runs, stateDirectory, redactor });
      try {
        // Nobody else writes it from now on.
        return { ...log, records: (await read(runId)) ?? [] };
      } catch (error) {
        log.close();
        throw error;
      }
    },
    read,
    list: async () => {
      const folder = runs.find();
      if (folder === undefined) return [];
      const entries = readdirSync(folder, { withFileTypes: true });
      const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
      return names.filter(isRunId).sort().reverse();
    },
    folderOf: find,
    verify,
    remove(runId) {
      const folder = find(runId);
      const alsoRemove = () => rmSync(exactTextsFile(stateDirectory, runId), { force: true });
      const options = { stateDirectory, alsoRemove };
      return folder === undefined || removeAudit(join(folder, RECORD_FILE), options);
    },
    removeRemains() {
      const folder = runs.find();
      if (folder === undefined) return;
      const alsoRemove = (runId: string) => {
        if (isRunId(runId)) rmSync(exactTextsFile(stateDirectory, runId), { force: true });
      };
      finishRemovals(folder, (run) => join(run, RECORD_FILE), { stateDirectory, alsoRemove });
    },
    compare: () => listAudits(runs.path, { stateDirectory }),
    accept: () => acceptAudits(runs.path, { stateDirectory }),
    async summarize(runId) {
      const folder = find(runId);
      const records = await read(runId);
      if (folder !== undefined && records !== undefined) writeSummary(folder, records);
    },
    async isSummarized(runId) {
      const folder = find(runId);
      const records = await read(runId);
      if (folder === undefined || records === undefined) return false;
      return holdsText(join(folder, SUMMARY_FILE), summaryText(records));
    },
  };
}

interface LogPlace extends Pick<FileStoreOptions, "stateDirectory" | "redactor"> {
  readonly runId: string;
  readonly folder: string;
  readonly runs: RunFolder;
}

function openLog({ runId, folder, runs, stateDirectory, redactor }: LogPlace): RunLog {
  const audit = openAudit({
    file: join(folder, RECORD_FILE),
    stateDirectory,
    // The run redacts what it appends; a second pass would only take time.
    redactor: { ...redactor, redact: (data) => data },
  });
  let isClosed = false;
  return {
    runId,
    file: audit.file,
    redactor,
    records: [],
    async append(events, { expectedSequence }) {
      requireSequence(runId, audit.sequence, expectedSequence);
      return audit.appendAll(events);
    },
    saveOutput(name, content) {
      const place = join(runs.make(runId, OUTPUTS), name);
      // One that a crash left behind belongs to no record.
      if (existsSync(place)) writeAtomic(place, content, { flush: true });
      else writeNew(place, content, { flush: true });
      return `${OUTPUTS}/${name}`;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      audit.close();
      const place = runs.find(runId);
      if (place !== undefined) writeSummary(place, readRecords(join(place, RECORD_FILE)));
    },
  };
}

/** Exact texts of runs, each in a file that only the user can read. */
function fileExactTexts(stateDirectory: string): ExactTexts {
  const fileOf = (runId: string) => exactTextsFile(stateDirectory, runId);
  return {
    async put(runId, texts) {
      if (!isRunId(runId)) throw new TypeError(`${JSON.stringify(runId)} cannot name a run`);
      makeFolder(join(stateDirectory, EXACT_TEXTS));
      const lines = texts.map((text) => `${JSON.stringify(text)}\n`).join("");
      const descriptor = openSync(fileOf(runId), APPEND_FLAGS, 0o600);
      try {
        writeSync(descriptor, lines);
        fdatasyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    },
    async get(runId) {
      const bytes = isRunId(runId)
        ? readIfPresent(fileOf(runId), { maxBytes: MAX_RECORD_BYTES })
        : undefined;
      const lines = bytes?.toString("utf8").split("\n").slice(0, -1) ?? [];
      return new Map(lines.flatMap(parsedText));
    },
    async remove(runId) {
      if (isRunId(runId)) rmSync(fileOf(runId), { force: true });
    },
  };
}

function exactTextsFile(stateDirectory: string, runId: string): string {
  return join(stateDirectory, EXACT_TEXTS, `${runId}.jsonl`);
}

/** A crash may leave a line half-written, which is skipped. */
function parsedText(line: string): [number, unknown][] {
  try {
    return [JSON.parse(line) as [number, unknown]];
  } catch {
    return [];
  }
}

function writeSummary(folder: string, records: readonly AuditRecord[]): void {
  writeAtomic(join(folder, SUMMARY_FILE), summaryText(records), { flush: true });
}

function summaryText(records: readonly AuditRecord[]): string {
  return `${JSON.stringify(summarizeRun(records), null, 2)}\n`;
}

/** The lines of a record that was verified. What follows the last newline is not written yet. */
function readRecords(file: string): AuditRecord[] {
  const text = readRegularFile(file, { maxBytes: MAX_RECORD_BYTES }).toString("utf8");
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as AuditRecord);
}

/** Whether a file of ours is there with just this text. Symlinks never match. */
function holdsText(file: string, text: string): boolean {
  try {
    const bytes = readIfPresent(file, { maxBytes: Buffer.byteLength(text) });
    return bytes?.equals(Buffer.from(text)) === true;
  } catch (error) {
    if (error instanceof UnusableFileError) return false;
    throw error;
  }
}

/** Keeps records out of version control, whatever the project ignores. */
function ignoreRuns(folder: string): void {
  const file = join(folder, ".gitignore");
  if (holdsText(file, IGNORE_ALL)) return;
  if (lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new AuditError("audit-unwritable", `${file} is a folder, so no run is kept there`, {
      hint: "Look where it comes from, then remove it.",
    });
  }
  writeAtomic(file, IGNORE_ALL, { flush: true });
}

/** Nothing was written into it yet. */
function isEmpty(file: string): boolean {
  return (lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** The user's state knows nothing of it. */
function isUnknown(verification: AuditVerification): boolean {
  return !verification.ok && verification.problems.every(({ kind }) => kind === "foreign");
}

/** A line that is still being written is not there yet. */
function requireSound(runId: string, verification: AuditVerification): void {
  if (verification.ok || verification.problems.every(({ kind }) => kind === "torn")) return;
  const [problem] = verification.problems;
  throw new AuditError(
    "audit-damaged",
    `the record of ${runId} is not as it was written: ${problem?.message ?? ""}`,
    { hint: `See what is wrong with it: skillwright runs verify ${runId}` },
  );
}

export interface PruneOptions {
  readonly store: FileStore;
  /** So many of the newest stay in any case; child runs go with their parent. Default: none. */
  readonly keep?: number;
  /** Only runs whose last record (or, without one, whose folder) is older, in milliseconds since 1970. Default: of any age. */
  readonly olderThan?: number;
  /** Also those that wait for an approval. */
  readonly includeWaiting?: boolean;
}

export interface PruneResult {
  readonly removed: readonly string[];
  readonly kept: readonly { readonly runId: string; readonly reason: KeepReason }[];
}

/**
 * - `new`: among the newest, or not old enough.
 * - `waiting`: for an approval.
 * - `running`: another process writes it.
 * - `damaged`: its record is not as it was written. It may be evidence, so a person has to remove it.
 */
type KeepReason = "new" | "waiting" | "running" | "damaged";

export async function pruneRuns(options: PruneOptions): Promise<PruneResult> {
  const { store, keep = 0 } = options;
  store.removeRemains();
  const all = await store.list();
  const parents = all.filter((runId) => !all.some((other) => isPart(runId, other)));
  const removed: string[] = [];
  const kept: { runId: string; reason: KeepReason }[] = [];
  for (const [index, runId] of parents.entries()) {
    const family = [runId, ...all.filter((other) => isPart(other, runId))];
    const reason = index < keep ? "new" : await reasonToKeep(family, options);
    if (reason === undefined && family.map((one) => store.remove(one)).every(Boolean)) {
      removed.push(...family);
    } else kept.push({ runId, reason: reason ?? "running" });
  }
  return { removed, kept };
}

/** Whether a run is a child of another, or a child of its child. */
export function isPart(runId: string, parent: string): boolean {
  return runId.startsWith(`${parent}.`);
}

async function reasonToKeep(
  family: readonly string[],
  { store, olderThan = Infinity, includeWaiting = false }: PruneOptions,
): Promise<KeepReason | undefined> {
  for (const runId of family) {
    try {
      const { status, updatedAt } = summarizeRun((await store.read(runId)) ?? []);
      const time = updatedAt === "" ? beginningOf(runId, store) : Date.parse(updatedAt);
      if (!(time < olderThan)) return "new";
      if (status === "needs_approval" && !includeWaiting) return "waiting";
    } catch (error) {
      if (!AuditError.isInstance(error)) throw error;
      return "damaged";
    }
  }
  return undefined;
}

/** Of a run that was cut off before its first record, or has just begun. */
function beginningOf(runId: string, store: FileStore): number {
  const folder = store.folderOf(runId);
  return folder === undefined ? -Infinity : statSync(folder).mtimeMs;
}
