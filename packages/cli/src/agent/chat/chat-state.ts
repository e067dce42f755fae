import type { ConversationState } from "@skillwright/app/internal";
import type { AttachedFiles } from "./attach-file.ts";

/** The state of a conversation between two turns. */
export interface ChatState extends ConversationState {
  /** For the next message. */
  readonly files: AttachedFiles;
}

export function exchangeCount({ conversation }: ChatState): number {
  return conversation.exchanges.length + (conversation.omitted ?? 0);
}

/** Whether the last run can be resumed, and why not. */
export function openEnd({ last }: ChatState): "approval" | "interrupted" | undefined {
  // Changes of scripts are decided on by themselves.
  if (last?.status === "needs_approval" && last.approval !== "changes") return "approval";
  const isCutOff = last?.status === "unfinished" || last?.status === "canceled";
  // What was missing then may be there now.
  return isCutOff || last?.code !== undefined ? "interrupted" : undefined;
}
