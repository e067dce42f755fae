/** What tests use of this folder; sources import the files themselves. */

export { breakApproval } from "./break-approval.ts";
export { breakText } from "./break-text.ts";
export { ChangingLines, rowsOf } from "./changing-lines.ts";
export { askText, choose, chooseMany, type Question } from "./choose.ts";
export { readInput } from "./read-input.ts";
export { stopOnInterrupt, type StopSignals } from "./stop-on-interrupt.ts";
export { table } from "./table.ts";
export { renderMarkdown } from "./render-markdown.ts";
export { wrapText } from "./wrap-text.ts";
