import type { Diagnostic } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";

/** About servers, not about skills in folders: no linter would show it. */
export function isAboutServer({ code }: Diagnostic): boolean {
  return code.startsWith("mcp-");
}

/** Which servers did not answer, and what of them cannot be used. */
export function noteServers(diagnostics: readonly Diagnostic[], console: Console): void {
  if (console.quiet) return;
  for (const { message } of diagnostics.filter(isAboutServer)) {
    console.note(visibleLine(`warning: ${message}`));
  }
}
