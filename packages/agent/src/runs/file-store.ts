import {
  readIfPresent,
  readRegularFile,
  UnusableFileError,
  writeAtomic,
  writeNew,
  checkOptions,
  type OptionKinds,
} from "@skillwright/core/internal";
import {
  AuditError,
  type AuditRecord,
  createRedactor,
  type Redactor,
  verifyAudit,
} from "@skillwright/runtime";
import {
  acceptAudits,
  type AuditList,
  type AuditVerification,
  finishRemovals,
  listAudits,
  openAudit,
  removeAudit,
} from "@skillwright/runtime/internal/records";
import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { FileTexts } from "./exact-texts.ts";
import { MAX_TEXT } from "./redact-fields.ts";
import { isRunId, requireSequence, type RunLog, type RunStore } from "./run-store.ts";
import { summarizeRun } from "./summarize-run.ts";

/** The parts of a path below a project. */
function partsOf(directory: string): readonly string[] {
  const parts = directory.split(/[/\\]/).filter((part) => part !== "" && part !== ".");
  if (isAbsolute(directory) || parts.includes("..") || parts.length === 0) {
    throw new TypeError(`runs are kept below the project, not in ${JSON.stringify(directory)}`);
  }
  return parts;
}

/**
 * The real path of a folder below a project, which may be anyone's: no link on the way there is followed,
 * since it could lead out. The project itself may be reached by links. Undefined when it is not there.
 */
function folderBelow(root: string, parts: readonly string[], isMade: boolean): string | undefined {
  let path = realpathSync(resolve(root));
  for (const part of parts) {
    path = join(path, part);
    if (isMade) makeOne(path);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.isDirectory()) continue;
    throw noPlace(path, stats.isSymbolicLink() ? "is a link" : "is a file");
  }
  return path;
}

/** Makes one folder in a checked one: `makeFolder` would follow links. */
function makeOne(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (cause) {
    if (isThere(path)) return;
    const { message } = cause as Error;
    throw new AuditError("audit-unwritable", `cannot make ${path}: ${message}`, { cause });
  }
}

function noPlace(path: string, what: string): AuditError {
  return new AuditError("audit-unwritable", `${path} ${what}, so no run is kept there`, {
    hint: "Look where it comes from, then remove it.",
  });
}

export interface FileStoreOptions {
  /** The project. Links below it are not followed. */
  readonly root: string;
  /** Below the project. Default: `.agent/runs`. */
  readonly directory?: string;
  /** For keys, heads of records and exact texts; nothing that a run does may write there. */
  readonly stateDirectory: string;
  /** Default: knows the secrets of the environment, and keeps texts of any length that a run may have. */
  readonly redactor?: Redactor;
}

export interface FileStore extends RunStore {
  readonly stateDirectory: string;
  /** The folder of a run; undefined when there is none. */
  folderOf(runId: string): string | undefined;
  /** Checks every line of the record against the user's key and head; undefined when there is no such run. */
  verify(runId: string): Promise<AuditVerification | undefined>;
  /** Removes a run; false when another process writes its record. */
  remove(runId: string): boolean;
  /** Removes what is left of runs whose removal was cut off, and exact texts of runs that are gone. */
  removeRemains(): void;
  /** Finds runs of the project that were deleted without `remove`. */
  compare(): Promise<AuditList>;
  /** The same, and takes what is there as complete from now on. */
  accept(): Promise<AuditList>;
  /** Makes `run.json` from the record. */
  summarize(runId: string): Promise<void>;
  /** Whether `run.json` is there and matches the record. */
  isSummarized(runId: string): Promise<boolean>;
}

export const RECORD_FILE = "events.jsonl";
const SUMMARY_FILE = "run.json";
const OUTPUTS = "outputs";
const IGNORE_ALL = "*\n";
/** The longest text that Node can hold. */
const MAX_RECORD_BYTES = 512 * 1024 * 1024;
/** It was cut off before anything was written, so nothing is missing. */
const NEVER_BEGUN: AuditVerification = {
  ok: true,
  records: 0,
  log: "",
  recovered: 0,
  interrupted: 0,
};

const OPTIONS: OptionKinds<FileStoreOptions> = {
  root: "string",
  directory: "string",
  stateDirectory: "string",
  redactor: "object",
};

/** Keeps each run in a folder with its record, a summary and its long outputs. */
export function createFileStore(options: FileStoreOptions): FileStore {
  checkOptions("createFileStore", options, OPTIONS, ["root", "stateDirectory"]);
  const {
    root,
    directory = ".agent/runs",
    stateDirectory,
    redactor = createRedactor({ env: process.env, maxStringLength: MAX_TEXT }),
  } = options;
  const parts = partsOf(directory);
  const make = (...names: readonly string[]) => folderBelow(root, [...parts, ...names], true) ?? "";
  const folderOf = (runId: string) =>
    isRunId(runId) ? folderBelow(root, [...parts, runId], false) : undefined;
  /** Where the runs are or would be. */
  const runsFolder = () => join(realpathSync(resolve(root)), ...parts);
  const texts = new FileTexts(stateDirectory, (runId) => join(make(), runId));
  const alsoRemove = (runId: string) => texts.removeNow(runId);

  async function verify(runId: string): Promise<AuditVerification | undefined> {
    const folder = folderOf(runId);
    if (folder === undefined) return undefined;
    const file = join(folder, RECORD_FILE);
    const verification = await verifyAudit(file, { stateDirectory });
    const isUnknown =
      !verification.ok && verification.problems.every(({ kind }) => kind === "foreign");
    const isEmpty = (lstatSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
    return isEmpty && isUnknown ? NEVER_BEGUN : verification;
  }

  async function read(runId: string): Promise<AuditRecord[] | undefined> {
    const verification = await verify(runId);
    if (verification === undefined) return undefined;
    requireSound(runId, verification);
    const file = join(folderOf(runId) ?? "", RECORD_FILE);
    return existsSync(file) ? readRecords(file) : [];
  }

  function logOf(runId: string): RunLog {
    const audit = openAudit({
      file: join(make(runId), RECORD_FILE),
      stateDirectory,
      // The run has redacted what it appends.
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
        const place = join(make(runId, OUTPUTS), name);
        // A file that a crash left behind is not in the record.
        if (existsSync(place)) writeAtomic(place, content, { flush: true });
        else writeNew(place, content, { flush: true });
        return `${OUTPUTS}/${name}`;
      },
      close() {
        if (isClosed) return;
        isClosed = true;
        audit.close();
        const folder = folderOf(runId);
        if (folder !== undefined) writeSummary(folder, readRecords(join(folder, RECORD_FILE)));
      },
    };
  }

  return {
    stateDirectory,
    exactTexts: texts,
    folderOf,
    verify,
    read,
    async create(runId) {
      if (!isRunId(runId)) throw new TypeError(`${JSON.stringify(runId)} cannot name a run`);
      const folder = make();
      ignoreRuns(folder);
      mkdirSync(join(folder, runId), { mode: 0o700 });
      return logOf(runId);
    },
    async open(runId) {
      if (folderOf(runId) === undefined) return undefined;
      ignoreRuns(make());
      const log = logOf(runId);
      try {
        // Its lock is held, so the record does not change any more.
        return { ...log, records: (await read(runId)) ?? [] };
      } catch (error) {
        log.close();
        throw error;
      }
    },
    async list() {
      const folder = folderBelow(root, parts, false);
      if (folder === undefined) return [];
      const entries = readdirSync(folder, { withFileTypes: true });
      const names = entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
      return names.filter(isRunId).sort().reverse();
    },
    remove(runId) {
      const folder = folderOf(runId);
      if (folder === undefined) return true;
      return removeAudit(join(folder, RECORD_FILE), {
        stateDirectory,
        alsoRemove: () => alsoRemove(runId),
      });
    },
    removeRemains() {
      const folder = folderBelow(root, parts, false);
      if (folder === undefined) return;
      finishRemovals(folder, (run) => join(run, RECORD_FILE), { stateDirectory, alsoRemove });
      texts.removeOrphans();
    },
    compare: () => listAudits(runsFolder(), { stateDirectory }),
    accept: () => acceptAudits(runsFolder(), { stateDirectory }),
    async summarize(runId) {
      const records = await read(runId);
      if (records !== undefined) writeSummary(folderOf(runId) ?? "", records);
    },
    async isSummarized(runId) {
      const records = await read(runId);
      const file = join(folderOf(runId) ?? "", SUMMARY_FILE);
      return records !== undefined && holdsText(file, summaryText(records));
    },
  };
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

/** Keeps records out of version control. */
function ignoreRuns(folder: string): void {
  const file = join(folder, ".gitignore");
  if (holdsText(file, IGNORE_ALL)) return;
  const isFolder = lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isFolder) throw noPlace(file, "is a folder");
  writeAtomic(file, IGNORE_ALL, { flush: true });
}

/** The end of a line that is still being written does not count. */
function requireSound(runId: string, verification: AuditVerification): void {
  if (verification.ok || verification.problems.every(({ kind }) => kind === "torn")) return;
  const [problem] = verification.problems;
  throw new AuditError(
    "audit-damaged",
    `the record of ${runId} is not as it was written: ${problem?.message ?? ""}`,
    { hint: `See what is wrong with it: skillwright runs verify ${runId}` },
  );
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
