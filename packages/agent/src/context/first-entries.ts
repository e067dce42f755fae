import type { RunStart } from "../events/agent-event.ts";
import type { ContextEntry } from "../loop/run-state.ts";
import type { ModelMessage } from "../models/model.ts";
import type { Conversation } from "../runs/conversation.ts";
import { escapeFrames } from "./escape-frames.ts";
import { frameAttachments, listAttachments } from "./frame-attachments.ts";

type Asked = Pick<RunStart, "request" | "attachments" | "conversation">;

/** How a run begins for the model: what was said before, the request, and the files given with it. */
export function firstEntries({ request, attachments = [], conversation }: Asked): ContextEntry[] {
  const message = user(withFiles(request, frameAttachments(attachments)));
  const hasTexts = attachments.some(({ text }) => text !== undefined);
  const brief = hasTexts ? user(withFiles(request, listAttachments(attachments))) : undefined;
  return [
    ...(conversation === undefined ? [] : history(conversation)),
    { message, kind: "request", ...(brief && { brief }) },
  ];
}

/** Two messages for each exchange. */
function history({ exchanges, omitted = 0 }: Conversation): ContextEntry[] {
  return exchanges.flatMap(({ request, answer }, i): ContextEntry[] => {
    const isFirst = i === 0 && omitted > 0;
    const note = isFirst ? `[${omitted} earlier exchanges are left out here.]\n\n` : "";
    const said = answer.trim() === "" ? "(no answer)" : escapeFrames(answer);
    return [
      { message: user(`${note}${escapeFrames(request)}`), kind: "history" },
      { message: { role: "assistant", content: said }, kind: "history" },
    ];
  });
}

function withFiles(request: string, files: string): string {
  return files === "" ? request : `${request}\n\n${files}`;
}

function user(content: string): ModelMessage {
  return { role: "user", content };
}
