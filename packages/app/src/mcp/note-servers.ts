import type { Diagnostic } from "@skillwright/core";
import { visibleLine } from "@skillwright/core/internal";
import type { AppHost } from "../host.ts";

/** About servers, not about skills in folders: no linter would show it. */
export function isAboutServer({ code }: Diagnostic): boolean {
  return code.startsWith("mcp-");
}

/** Which servers did not answer, and what of them cannot be used. */
export function noteServers(diagnostics: readonly Diagnostic[], host: AppHost): void {
  if (host.quiet) return;
  for (const { message } of diagnostics.filter(isAboutServer)) {
    host.note(visibleLine(`warning: ${message}`));
  }
}
