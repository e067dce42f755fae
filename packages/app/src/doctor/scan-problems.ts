import { type Diagnostic } from "@skillwright/core";
import { registryRules } from "@skillwright/core/internal";

const CODES: ReadonlySet<string> = new Set(registryRules.map(({ code }) => code));

/** What is wrong with roots, or between skills: `lint` looks at single skills and does not see it. */
export function scanProblems(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ code, severity }) => CODES.has(code) && severity !== "info");
}
