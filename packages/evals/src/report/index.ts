/** What tests use of this folder; sources import the files themselves. */

export { REPORT_SCRIPT } from "./html/report-script.ts";
export { reportData } from "./html/report-data.ts";
export { reportCases, reportSides } from "./html/report-side.ts";
export { codeSpan, escapeMarkdown } from "./markdown-report.ts";
export { writeWorkspace } from "./workspace.ts";
