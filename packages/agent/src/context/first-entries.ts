import { promptText } from "@skillwright/core/internal";
import type { RunStart } from "../events/agent-event.ts";
import type { ContextEntry } from "../loop/run-state.ts";
import type { ModelMessage } from "../models/model.ts";
import type { Conversation } from "../runs/conversation.ts";
import { frameAttachments, listAttachments } from "./frame-attachments.ts";

type Asked = Pick<RunStart, "request" | "attachments" | "conversation">;

/** The first messages of a run: the conversation so far, the request, and the files given with it. */
export function firstEntries({ request, attachments = [], conversation }: Asked): ContextEntry[] {
  const text = promptText(request);
  const message = user(withFiles(text, frameAttachments(attachments)));
  const hasTexts = attachments.some((attachment) => attachment.text !== undefined);
  const brief = hasTexts ? user(withFiles(text, listAttachments(attachments))) : undefined;
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
    const said = answer.trim() === "" ? "(no answer)" : promptText(answer);
    return [
      { message: user(`${note}${promptText(request)}`), kind: "history" },
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
