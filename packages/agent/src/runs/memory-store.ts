import { AuditError, type AuditRecord, createRedactor, type Redactor } from "@skillwright/runtime";
import { MAX_TEXT } from "./redact-fields.ts";
import type { RunLog, RunStore } from "./run-log.ts";

interface MemoryStoreOptions {
  readonly redactor?: Redactor;
  readonly clock?: () => number;
}

interface MemoryRun {
  readonly records: AuditRecord[];
  readonly exact: Map<number, unknown>;
}

/** Keeps runs as long as the process lives. Nothing is signed, since no one else can reach it. */
export function createMemoryStore(options: MemoryStoreOptions = {}): RunStore {
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

/** Another writer was faster: what follows from these events must not happen. */
export function requireSequence(runId: string, last: number, expected: number): void {
  if (last === expected) return;
  throw new AuditError(
    "audit-locked",
    `the record of ${runId} has ${last} events, not ${expected}: something else writes it`,
  );
}
