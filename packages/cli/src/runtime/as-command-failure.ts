import { CommandFailure, EXIT } from "../exit-code.ts";
import { AppFailure } from "@skillwright/app";

/** Files of the user's state that have to be fixed or removed first. */
const UNREADABLE: ReadonlySet<string> = new Set([
  "approval-key-unusable",
  "audit-key-unusable",
  "audit-unreadable",
]);

/** What cannot be recorded or approved does not happen; why is for the person to mend. */
export function asCommandFailure(error: unknown): AppFailure {
  if (error instanceof AppFailure) return error;
  const isRefusal = error instanceof Error && /^(?:Audit|Approval)Error$/.test(error.name);
  if (!isRefusal) throw error;
  const { hint, code = "" } = error as { readonly hint?: string; readonly code?: string };
  const options = hint === undefined ? { cause: error } : { cause: error, hint };
  return new CommandFailure(UNREADABLE.has(code) ? EXIT.usage : EXIT.no, error.message, options);
}
