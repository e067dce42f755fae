import { CommandFailure, EXIT } from "../exit-code.ts";

/** What cannot be recorded or approved does not happen; why is for the person to mend. */
export function asCommandFailure(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  const isRefusal = error instanceof Error && /^(?:Audit|Approval)Error$/.test(error.name);
  if (!isRefusal) throw error;
  const { hint } = error as { readonly hint?: string };
  const options = hint === undefined ? { cause: error } : { cause: error, hint };
  return new CommandFailure(EXIT.no, error.message, options);
}
