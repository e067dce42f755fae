import { contentDigest } from "../audit/content-digest.ts";
import type { AuditEvent } from "../audit/audit.ts";

/**
 * What a call that succeeded did to a file of the workspace, beside what was asked for; undefined for
 * other tools. `file-read` is for the files of skills.
 */
export function fileEvent(
  tool: string,
  { path: given, content }: Readonly<Record<string, unknown>>,
  result: unknown,
): AuditEvent | undefined {
  const facts = result as Readonly<Record<string, unknown>>;
  const { path = given } = facts;
  if (tool === "read_file") {
    const { startLine, endLine, size } = facts;
    return { event: "workspace-read", data: { path, startLine, endLine, size } };
  }
  if (tool === "write_file" && typeof content === "string") {
    const { created, bytes, previousDigest } = facts;
    const digest = contentDigest(content);
    const previous = previousDigest === undefined ? {} : { previousDigest };
    return { event: "workspace-write", data: { path, created, bytes, digest, ...previous } };
  }
  if (tool === "delete_file") {
    const { kind, trashId } = facts;
    return { event: "workspace-write", data: { path, deleted: true, kind, trashId } };
  }
  return undefined;
}
