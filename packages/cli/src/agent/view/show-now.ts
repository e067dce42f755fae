import {
  displayWidth,
  quoteLine,
  truncateWidth,
  visibleLine,
  visibleLines,
} from "@skillwright/core/internal";
import type { ScreenSize } from "../../terminal/changing-lines.ts";
import type { Colors } from "../../terminal/colors.ts";
import { renderMarkdown } from "../../terminal/render-markdown.ts";
import { counted, dollars, wholeTime } from "./amounts.ts";
import { isJson } from "./lines-of.ts";
import { showPlan } from "./show-plan.ts";
import type { ViewState } from "./view-state.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
export const FRAME_MS = 120;
/** Lines of the screen that are left to what has happened, and to the cursor. */
const LEFT_FREE = 4;
const MAX_HEIGHT = 14;
const SAID_LINES = 8;

/** The part that changes: plan, what the model says, what is done, and what it took so far. */
export function showNow(
  state: ViewState,
  { columns, rows }: ScreenSize,
  now: number,
  colors: Colors,
): string[] {
  if (state.depth === 0) return [];
  const { dim, cyan } = colors;
  // The last column stays free: some terminals go to the next line when it is written.
  const width = Math.max(1, columns - 1);
  const height = Math.max(1, Math.min(MAX_HEIGHT, rows - LEFT_FREE));
  const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? "";
  const doing = `${cyan(frame)} ${doingText(state, now, width - 2)}`;
  if (height === 1) return [doing];
  const status = dim(truncateWidth(`  ${statusText(state, now, width - 2)}`, width));
  const said = height >= 6 ? saidLines(state.said, width - 2).slice(5 - height) : [];
  const plan = showPlan(state.plan ?? { steps: [] }, height - 3 - said.length, { width, colors });
  const isApart = plan.length + said.length > 0;
  return [
    ...(isApart ? [""] : []),
    ...plan,
    ...said.map((line) => dim(`  ${line}`)),
    doing,
    status,
  ];
}

function doingText({ activity, isStopping }: ViewState, now: number, width: number): string {
  const { text, since } = activity ?? { text: "getting ready", since: now };
  const last = [
    ...(now - since >= 1000 ? [wholeTime(now - since)] : []),
    ...(isStopping ? ["then it stops"] : []),
  ].join(", ");
  const time = last === "" ? "" : `  ${last}`;
  return truncateWidth(visibleLine(text), width - displayWidth(time)) + time;
}

/** As many parts as there is room for; what counts most comes first. */
function statusText(state: ViewState, now: number, width: number): string {
  const { model, turns, tokens, cost, began, isStopping } = state;
  const parts = [
    wholeTime(now - began),
    counted(tokens, "token"),
    ...(turns > 0 ? [`turn ${turns}`] : []),
    ...(cost > 0 ? [dollars(cost)] : []),
    isStopping ? "Ctrl-C stops it now" : "Ctrl-C stops it",
    quoteLine(model, 200),
  ];
  let text = "";
  for (const part of parts) {
    const longer = text === "" ? part : `${text} · ${part}`;
    if (displayWidth(longer) > width) break;
    text = longer;
  }
  return text;
}

/** The end of it: that is where it is being written. */
function saidLines(said: string, width: number): string[] {
  const text = said.trim();
  if (isJson(text)) return [];
  return renderMarkdown(visibleLines(text), { width })
    .filter((line) => line !== "")
    .slice(-SAID_LINES)
    .map((line) => truncateWidth(line, width));
}
