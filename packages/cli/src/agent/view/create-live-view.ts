import type { RunUsage } from "@skillwright/agent/internal";
import type { Console } from "../../console.ts";
import { applyRecord } from "./apply-record.ts";
import type { RunView } from "./run-view.ts";
import { showLine } from "./show-line.ts";
import { FRAME_MS, showNow } from "./show-now.ts";
import { showPlan } from "./show-plan.ts";
import { NOTHING_YET, type ViewLine, type ViewState } from "./view-state.ts";

const MAX_SAID = 4000;
const MAX_PLAN = 12;
const STOPPING = {
  "after-step": "Finishing this step, press Ctrl-C again to stop now.",
  now: "Stopping now.",
} as const;

function shownUsage({ turns, inputTokens, outputTokens, cost }: RunUsage): Partial<ViewState> {
  return { turns, tokens: inputTokens + outputTokens, cost };
}

/** What has happened scrolls up as plain lines; only the small part that changes is drawn anew. */
export function createLiveView(
  console: Console,
  used?: RunUsage,
  clock: () => number = () => performance.now(),
): RunView {
  let state: ViewState = { ...NOTHING_YET, ...(used && shownUsage(used)) };
  let isPaused = false;
  /** What is written to a terminal that is gone is an error, before the run is recorded as stopped. */
  let isGone = false;
  let timer: NodeJS.Timeout | undefined;
  const { noteColors: colors } = console;
  const draw = () => {
    if (isPaused || timer === undefined) return;
    console.redraw(showNow(state, console.screenSize, clock(), colors));
  };
  const keep = (line: ViewLine) => {
    const { columns } = console.screenSize;
    const options = { width: columns - 1, colors, isApart: state.depth > 1 };
    console.note(showLine(line, options).join("\n"));
  };
  const start = () => {
    timer ??= setInterval(draw, FRAME_MS);
    // It shows a run, and keeps nothing alive by itself.
    timer.unref();
  };
  const pause = () => {
    isPaused = true;
    console.redraw([]);
  };
  return {
    onEvent(record) {
      if (isGone) return;
      if (!state.hasEnded) start();
      const applied = applyRecord(state, record, clock());
      for (const line of applied.lines) keep(line);
      state = applied.state;
      draw();
    },
    onText(text) {
      state = { ...state, said: (state.said + text).slice(-MAX_SAID) };
    },
    stopping(how) {
      if (how === "gone") {
        isGone = true;
        clearInterval(timer);
        return;
      }
      state = { ...state, isStopping: true };
      console.note(colors.yellow(STOPPING[how]));
      draw();
    },
    pause,
    resume() {
      isPaused = false;
      draw();
    },
    end() {
      clearInterval(timer);
      if (isGone) return;
      pause();
      timer = undefined;
      const { plan } = state;
      const width = console.screenSize.columns - 1;
      if (plan !== undefined && plan.steps.length > 0) {
        console.note(["", ...showPlan(plan, MAX_PLAN, { width, colors })].join("\n"));
      }
      state = NOTHING_YET;
      isPaused = false;
    },
  };
}
