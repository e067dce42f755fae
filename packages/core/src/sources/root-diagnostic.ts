import type { Diagnostic } from "../format/diagnostic.ts";
import type { Rule } from "../format/rules/rule.ts";

/** A finding about a folder, or about a file as a whole. */
export function rootDiagnostic(rule: Rule, file: string, message: string): Diagnostic {
  const position = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  const { code, severity, effect } = rule;
  const found = { code, severity, message, file, ...position };
  return effect === undefined ? found : { ...found, effect };
}
