import { AuditError } from "@skillwright/runtime";
import type { RunStart } from "../events/run-event.ts";
import { type Conversation, conversationAfter } from "./conversation.ts";
import type { RunStore } from "./run-log.ts";

/** Runs that are looked at, the newest first. */
const MAX_RUNS = 500;

export async function lastConversation(
  store: Pick<RunStore, "list" | "read">,
): Promise<Conversation | undefined> {
  for (const runId of (await store.list()).slice(0, MAX_RUNS)) {
    const records = (await readSound(store, runId)) ?? [];
    const start = records.find(({ event }) => event === "run-start")?.data as RunStart | undefined;
    if (start?.conversation === undefined || start.parent !== undefined) continue;
    return conversationAfter(records);
  }
  return undefined;
}

async function readSound(store: Pick<RunStore, "read">, runId: string) {
  try {
    return await store.read(runId);
  } catch (error) {
    if (AuditError.isInstance(error)) return undefined;
    throw error;
  }
}
