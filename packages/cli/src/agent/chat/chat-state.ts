import type { RunSummary } from "@skillwright/agent";
import type { RunConversation, RunUsage } from "@skillwright/agent/internal";
import { type AttachedFiles, NO_FILES } from "./attach-file.ts";
import { NO_USAGE } from "./conversation-usage.ts";

/** The state of a conversation between two turns. */
export interface ChatState {
  /** What the next run begins with. */
  readonly conversation: RunConversation;
  /** The last run; undefined before the first one. */
  readonly last?: RunSummary;
  /** Of all its runs that are still there. */
  readonly usage: RunUsage;
  /** Runs that are gone, so that their use is not counted. */
  readonly uncounted: number;
  /** For the next message. */
  readonly files: AttachedFiles;
}

export const NEW_CHAT: ChatState = {
  conversation: { id: "", exchanges: [], skills: [] },
  usage: NO_USAGE,
  uncounted: 0,
  files: NO_FILES,
};

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
