/** What tests use of this folder; sources import the files themselves. */

export { fitLine } from "./code-frame.ts";
export { escapeData, escapeProperty, formatGithub } from "./format-github.ts";
export { formatHuman } from "./format-human.ts";
export { formatSarif } from "./format-sarif.ts";
export { formatSummary } from "./format-summary.ts";
export type { LintedFile } from "./linted-file.ts";
