import type { AuditRecord } from "@skillwright/runtime";
import type { RunStart } from "../events/agent-event.ts";
import type { RunState } from "../loop/run-state.ts";
import { boundConversation } from "./bound-conversation.ts";
import type { Conversation } from "./conversation.ts";
import { foldRecords } from "./fold-records.ts";

/**
 * Pure: the conversation to go on with after a run, however that ended. Also a run that belonged to
 * none can be gone on with. After one that never began, it is a new one.
 */
export function conversationAfter(
  records: readonly Pick<AuditRecord, "event" | "data">[],
): Conversation {
  const state = foldRecords(records);
  const { start } = state;
  if (start === undefined) return { id: "", exchanges: [], skills: [] };
  const { runId, conversation } = start;
  const { id, exchanges, omitted } = conversation ?? { id: runId, exchanges: [] };
  const exchange = { runId, request: requestOf(start), answer: answerOf(state) };
  return boundConversation({
    id,
    previous: runId,
    exchanges: [...exchanges, exchange],
    ...(omitted !== undefined && { omitted }),
    skills: skillsOf(state),
  });
}

/** With the names of what was attached: the next request may be about it. */
function requestOf({ request, attachments = [] }: RunStart): string {
  if (attachments.length === 0) return request;
  const paths = attachments.map(({ path }) => (/\s/.test(path) ? JSON.stringify(path) : path));
  return `${request}\n\n[attached: ${paths.join(", ")}]`;
}

function answerOf({ end }: RunState): string {
  if (end === undefined) return "(cut off before there was an answer)";
  const { status, answer, reason } = end;
  if (status === "answered") return answer;
  const why = `(${status}${reason === undefined ? "" : `: ${reason}`})`;
  return answer === "" ? why : `${answer}\n${why}`;
}

/** The last used last. */
function skillsOf({ active, steps }: RunState): string[] {
  const lastUse = (name: string) =>
    steps.findLastIndex(({ action }) =>
      JSON.stringify(action["skill"] ?? null).includes(`"${name}"`),
    );
  return active
    .map(({ name, source }) => ({ place: `${name}@${source}`, use: lastUse(name) }))
    .toSorted((a, b) => a.use - b.use)
    .map(({ place }) => place);
}
