import { type AuditEvent, contentDigest } from "../audit/audit.ts";
import { REDACTED, type Redactor } from "../audit/redaction/redactor.ts";

/**
 * What a call that succeeded did to a file of the workspace, beside what was asked for; undefined for
 * other tools. `file-read` is for the files of skills.
 */
export function fileEvent(
  tool: string,
  { path: given, content, append = false }: Readonly<Record<string, unknown>>,
  result: unknown,
  { redactText }: Redactor,
): AuditEvent | undefined {
  const facts = result as Readonly<Record<string, unknown>>;
  const { path = given } = facts;
  if (tool === "read_file") {
    const { startLine, endLine, size } = facts;
    return { event: "workspace-read", data: { path, startLine, endLine, size } };
  }
  const { created, bytes } = facts;
  if (tool === "edit_file" || (tool === "write_file" && append === true)) {
    return { event: "workspace-write", data: { path, created, bytes } };
  }
  if (tool === "write_file" && typeof content === "string") {
    // A short secret could be guessed from the digest of a text that holds it.
    const isOpen = redactText(content) === content && !content.includes("⟦secret:");
    const digest = isOpen ? contentDigest(content) : REDACTED;
    return { event: "workspace-write", data: { path, created, bytes, digest } };
  }
  if (tool === "delete_file") {
    const { kind, trashId } = facts;
    return { event: "workspace-write", data: { path, deleted: true, kind, trashId } };
  }
  return undefined;
}
