import { truncateMiddle } from "@skillwright/core/internal";
import type { Conversation, Exchange } from "./conversation.ts";
import { recordedBytes } from "./require-room.ts";

/** In the record, and so in the prompt. */
const MAX_BYTES = 100_000;
const MAX_EXCHANGES = 200;
const MAX_REQUEST = 4000;
const MAX_ANSWER = 12_000;
const MAX_SKILLS = 200;
const MAX_NAME = 200;

/** A conversation as a record has room for it: the oldest exchanges are left out and counted. */
export function boundConversation(conversation: Conversation): Conversation {
  const { id, previous, exchanges, skills, omitted = 0 } = conversation;
  const kept: Exchange[] = [];
  let left = MAX_BYTES;
  for (const exchange of exchanges.slice(-MAX_EXCHANGES).toReversed()) {
    const bound = boundExchange(exchange);
    left -= recordedBytes(bound) + 1;
    if (left < 0) break;
    kept.unshift(bound);
  }
  const lost = omitted + exchanges.length - kept.length;
  return {
    id: id.slice(0, MAX_NAME),
    ...(previous !== undefined && { previous: previous.slice(0, MAX_NAME) }),
    exchanges: kept,
    ...(lost > 0 && { omitted: lost }),
    skills: [...new Set(skills)].slice(-MAX_SKILLS).map((name) => name.slice(0, MAX_NAME)),
  };
}

/** Which request of the conversation this is, from 1 on. */
export function turnOf({ exchanges, omitted = 0 }: Conversation): number {
  return exchanges.length + omitted + 1;
}

function boundExchange({ runId, request, answer }: Exchange): Exchange {
  return {
    runId: runId.slice(0, MAX_NAME),
    request: truncateMiddle(request, MAX_REQUEST),
    answer: truncateMiddle(answer, MAX_ANSWER),
  };
}
