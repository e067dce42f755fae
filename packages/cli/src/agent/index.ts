/** What tests use of this folder; sources import the files themselves. */

export { completeChat } from "./chat/complete-chat.ts";
export { NO_USAGE } from "@skillwright/app/internal";
export { InputHistory } from "./chat/input-history.ts";
export { readInput } from "./chat/read-input.ts";
export { TerminalSource } from "./chat/terminal-source.ts";
export { continueCommand, shellWord } from "./continue-command.ts";
export { describeRecord } from "./describe-record.ts";
export { largerBudget, offerMoreBudget } from "./go-on.ts";
export { counted, dollars, shortCount, shortTime, wholeTime } from "./view/amounts.ts";
export { applyRecord } from "./view/apply-record.ts";
export { createRunView } from "./view/create-run-view.ts";
export { showLine } from "./view/show-line.ts";
export { showNow } from "./view/show-now.ts";
export { showPlan } from "./view/show-plan.ts";
export { NOTHING_YET, type ViewLine, type ViewState } from "./view/view-state.ts";
