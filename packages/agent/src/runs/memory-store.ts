import { type AuditRecord, createRedactor, type Redactor } from "@skillwright/runtime";
import { MAX_TEXT, redactFields } from "./redact-fields.ts";
import type { RunLog, RunStore } from "./run-log.ts";

interface MemoryStoreOptions {
  readonly redactor?: Redactor;
  readonly clock?: () => number;
}

/** Keeps runs as long as the process lives. Nothing is signed, since nobody else can reach it. */
export function createMemoryStore(options: MemoryStoreOptions = {}): RunStore {
  const { redactor = createRedactor({ env: {}, maxStringLength: MAX_TEXT }), clock = Date.now } =
    options;
  const runs = new Map<string, AuditRecord[]>();
  const logOf = (runId: string, records: AuditRecord[]): RunLog => ({
    runId,
    file: `memory:${runId}`,
    redactor,
    records: [...records],
    append({ event, data }) {
      const record: AuditRecord = {
        schemaVersion: 1,
        sequence: records.length + 1,
        time: new Date(clock()).toISOString(),
        event,
        data: redactFields(data, redactor),
        previous: "",
        hash: "",
      };
      records.push(record);
      return record;
    },
    saveOutput: () => undefined,
    sync() {},
    close() {},
  });
  return {
    async create(runId) {
      if (runs.has(runId)) throw new TypeError(`there is a run ${runId} already`);
      const records: AuditRecord[] = [];
      runs.set(runId, records);
      return logOf(runId, records);
    },
    async open(runId) {
      const records = runs.get(runId);
      return records && logOf(runId, records);
    },
    read: async (runId) => runs.get(runId),
    list: async () => [...runs.keys()].reverse(),
  };
}
