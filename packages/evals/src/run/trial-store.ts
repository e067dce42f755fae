import type { RunLog, RunStore } from "@skillwright/agent";
import type { AuditRecord, Redactor } from "@skillwright/runtime";

/**
 * Keeps the record of one trial as long as it takes. Nothing of it is written down, so that nothing is
 * redacted in it: graders see what was said, and what is kept of a trial is redacted as a whole.
 */
export function createTrialStore(redactor: Redactor): RunStore {
  const runs = new Map<string, AuditRecord[]>();
  const logOf = (runId: string, records: AuditRecord[]): RunLog => ({
    runId,
    file: `memory:${runId}`,
    redactor,
    records: [...records],
    append({ event, data }) {
      const sequence = records.length + 1;
      const time = new Date().toISOString();
      const record = {
        schemaVersion: 1,
        sequence,
        time,
        event,
        data,
        previous: "",
        hash: "",
      } as const;
      records.push(record);
      return record;
    },
    saveOutput: () => undefined,
    sync() {},
    close() {},
  });
  return {
    async create(runId) {
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
