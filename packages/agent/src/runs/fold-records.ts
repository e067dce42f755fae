import type { AuditRecord } from "@skillwright/runtime";
import { applyEvent } from "../loop/apply-event.ts";
import { EMPTY_STATE, type RunState } from "../loop/run-state.ts";

/** The state that a record makes. */
export function foldRecords(records: readonly Pick<AuditRecord, "event" | "data">[]): RunState {
  return records.reduce(applyEvent, EMPTY_STATE);
}
