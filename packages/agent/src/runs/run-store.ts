import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import {
  AuditError,
  type AuditEvent,
  type AuditRecord,
  createRedactor,
  type Redactor,
} from "@skillwright/runtime";
import { MAX_TEXT } from "./redact-fields.ts";

/** Letters that need no quoting and lead nowhere: no separator, no `..`, no option. */
const RUN_ID = /^[A-Za-z0-9](?:[\w-]|\.(?!\.)){0,199}$/;

export function isRunId(runId: string): boolean {
  return RUN_ID.test(runId) && !runId.endsWith(".");
}

/** The record of one run, to append to. */
export interface RunLog {
  readonly runId: string;
  /** Path or name of the record. */
  readonly file: string;
  /** The run applies it before it appends. */
  readonly redactor: Redactor;
  /** The records at the time it was opened. */
  readonly records: readonly AuditRecord[];
  /**
   * Writes events as they are, all or none, and gives them back as records. Rejects with an
   * `AuditError` when the last record is not `expectedSequence` or writing fails: then nothing that
   * follows from the events may happen.
   */
  append(
    events: readonly AuditEvent[],
    options: { readonly expectedSequence: number },
  ): Promise<readonly AuditRecord[]>;
  /** Keeps an output that is too long for the record; gives its name, or undefined if it is not kept. */
  saveOutput(name: string, content: string | Uint8Array): string | undefined;
  /** Lets others write. Safe to call twice. */
  close(): void;
}

/**
 * Where runs are kept: files, memory, or a store of the host. A record that is not as it was written,
 * or that another process writes, is an `AuditError`. `describeRunStore` of `@skillwright/agent/testing` checks a store.
 */
export interface RunStore {
  /** Creates a run. Fails when one of this name exists. */
  create(runId: string): Promise<RunLog>;
  /** Opens an existing run to continue it; undefined when there is none. */
  open(runId: string): Promise<RunLog | undefined>;
  read(runId: string): Promise<readonly AuditRecord[] | undefined>;
  /** The newest first. */
  list(): Promise<readonly string[]>;
  /** Without it, a resumed run tells the model what is missing. */
  readonly exactTexts?: ExactTexts;
}

/**
 * Keeps what redaction changed in a record, so that a resumed run continues the exact conversation.
 * Only the user may read it. Removed when the run can no longer be resumed.
 */
export interface ExactTexts {
  /** Exact data of events, by their sequence number in the record. */
  put(runId: string, texts: readonly (readonly [sequence: number, data: unknown])[]): Promise<void>;
  get(runId: string): Promise<ReadonlyMap<number, unknown>>;
  remove(runId: string): Promise<void>;
}

interface MemoryStoreOptions {
  readonly redactor?: Redactor;
  readonly clock?: () => number;
}

interface MemoryRun {
  readonly records: AuditRecord[];
  readonly exact: Map<number, unknown>;
}

const OPTIONS: OptionKinds<MemoryStoreOptions> = { redactor: "object", clock: "function" };

/** Keeps runs as long as the process lives. Nothing is signed, since no other process can reach it. */
export function createMemoryStore(options: MemoryStoreOptions = {}): RunStore {
  checkOptions("createMemoryStore", options, OPTIONS);
  const { redactor = createRedactor({ env: {}, maxStringLength: MAX_TEXT }), clock = Date.now } =
    options;
  const runs = new Map<string, MemoryRun>();
  const logOf = (runId: string, { records }: MemoryRun): RunLog => ({
    runId,
    file: `memory:${runId}`,
    redactor,
    records: [...records],
    async append(events, { expectedSequence }) {
      requireSequence(runId, records.length, expectedSequence);
      const time = new Date(clock()).toISOString();
      const added = events.map(({ event, data }, i): AuditRecord => ({
        schemaVersion: 1,
        sequence: expectedSequence + i + 1,
        time,
        event,
        data,
        previous: "",
        hash: "",
      }));
      records.push(...added);
      return added;
    },
    saveOutput: () => undefined,
    close() {},
  });
  return {
    async create(runId) {
      if (runs.has(runId)) throw new TypeError(`there is a run ${runId} already`);
      const run: MemoryRun = { records: [], exact: new Map() };
      runs.set(runId, run);
      return logOf(runId, run);
    },
    async open(runId) {
      const run = runs.get(runId);
      return run && logOf(runId, run);
    },
    read: async (runId) => runs.get(runId)?.records.slice(),
    list: async () => [...runs.keys()].reverse(),
    exactTexts: {
      async put(runId, texts) {
        for (const [sequence, data] of texts) runs.get(runId)?.exact.set(sequence, data);
      },
      get: async (runId) => runs.get(runId)?.exact ?? new Map(),
      remove: async (runId) => runs.get(runId)?.exact.clear(),
    },
  };
}

/** Fails when another writer was faster: what follows from these events must not happen. */
export function requireSequence(runId: string, last: number, expected: number): void {
  if (last === expected) return;
  throw new AuditError(
    "audit-locked",
    `the record of ${runId} has ${last} events, not ${expected}: something else writes it`,
  );
}
