/** What tests use of this folder; sources import the files themselves. */

export { REPORT_SCRIPT } from "./html/browser/report-script.ts";
export { SEQUENCE_DIFF } from "./html/browser/sequence-diff.ts";
export { TIMELINE } from "./html/browser/timeline.ts";
export { reportData } from "./html/report-data.ts";
export { reportCases, reportSides } from "./html/report-side.ts";
export { codeSpan, escapeMarkdown } from "./markdown/escape-markdown.ts";
export { writeWorkspace } from "./workspace/write-workspace.ts";
