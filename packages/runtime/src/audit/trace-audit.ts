import type { Audit, AuditRecord } from "./audit.ts";
import { openTrace, type TraceApi } from "./tracing/trace-api.ts";
import { AuditSpans } from "./tracing/audit-spans.ts";

export interface TraceAuditOptions {
  /** `@opentelemetry/api`. Looked for when not given; without it nothing is traced. */
  readonly api?: TraceApi;
}

export async function traceAudit(audit: Audit, options: TraceAuditOptions = {}): Promise<Audit> {
  const api = options.api ?? (await openTrace());
  if (api === undefined) return audit;
  const spans = new AuditSpans(api);
  return {
    file: audit.file,
    redactor: audit.redactor,
    append(event): AuditRecord {
      const record = audit.append(event);
      orNothing(() => spans.add(record));
      return record;
    },
    sync: () => audit.sync(),
    close() {
      orNothing(() => spans.end());
      audit.close();
    },
  };
}

function orNothing(operation: () => void): void {
  try {
    operation();
  } catch {
    // A broken exporter is no reason to stop.
  }
}
