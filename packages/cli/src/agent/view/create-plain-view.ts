import type { AgentEvent } from "@skillwright/agent";
import { quoteLine, visibleLine } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { describeRecord } from "../describe-record.ts";
import type { RunView } from "./run-view.ts";

const STOPPING = {
  "after-step": "finishing this step; another interrupt stops it now",
  now: "stopping now",
  gone: "stopping now",
} as const;

/** One line for what a person, or a log of a machine, wants to know. */
export function createPlainView(console: Console): RunView {
  const { dim } = console.noteColors;
  const note = (subject: string, text: string) =>
    console.note(`${dim(subject.padEnd(7))} ${visibleLine(text)}`);
  return {
    onEvent(record) {
      const described = describeRecord(record);
      if (described?.isProgress === true) note(described.subject, described.text);
      const event = record as unknown as AgentEvent;
      if (event.event === "run-start" && event.data.parent === undefined) {
        const { skills, omitted } = event.data.catalog;
        for (const { path, bytes } of event.data.attachments ?? []) {
          note("file", `${path} (${bytes} bytes)`);
        }
        note("skills", `${skills.length + omitted} to choose from`);
      } else if (event.event === "action-decide" && event.data.action.action === "select_skills") {
        const { reason = "" } = event.data.action;
        if (reason !== "") note("why", quoteLine(reason));
      } else if (event.event === "action-end" && !event.data.ok && !isRefused(event.data.code)) {
        note("failed", quoteLine(errorLine(event.data.observation)));
      }
    },
    onText() {},
    stopping: (how) => note("stop", STOPPING[how]),
    pause() {},
    resume() {},
    end() {},
  };
}

/** Refusals have lines of their own. */
function isRefused(code = ""): boolean {
  return code === "policy-denied" || code.startsWith("approval-");
}

/** The line that says what is wrong: an error, else the end of a traceback; without stderr, all. */
function errorLine(observation: string): string {
  const lines = STDERR.exec(observation)?.[1]?.trimEnd().split("\n");
  return lines?.find((line) => ERROR.test(line)) ?? lines?.at(-1) ?? observation;
}

const ERROR = /^\s*(?:[\w.-]+: )?(?:\w*error|fatal)\b/i;
const STDERR = /^stderr:\n([^]*?)(?:\nstdout:\n|\n\n|(?![^]))/m;
