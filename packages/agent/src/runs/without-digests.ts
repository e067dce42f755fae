import type { AuditEvent } from "@skillwright/runtime";

const LEFT_OUT = "[redacted]";

/**
 * An event of the runtime without the digests of what was decided, for a decision that holds something
 * the record leaves out: a short secret can be guessed from its digest. An approval that names one
 * does not outlive the process.
 */
export function withoutDigests(event: AuditEvent): AuditEvent {
  const data = event.data as Readonly<Record<string, unknown>>;
  if (event.event === "approval-decision") return { ...event, data: { ...data, approval: null } };
  if (event.event === "workspace-write") {
    return { ...event, data: { ...data, ...("digest" in data && { digest: LEFT_OUT }) } };
  }
  if (event.event !== "approval-request") return event;
  const script = data["script"] as object | undefined;
  return {
    ...event,
    data: {
      ...data,
      inputDigest: LEFT_OUT,
      ...(script && { script: { ...script, otherInputDigest: LEFT_OUT } }),
    },
  };
}
