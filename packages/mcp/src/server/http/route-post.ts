import type { IncomingMessage, ServerResponse } from "node:http";
import {
  isInitializeRequest,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { quoteLine } from "@skillwright/core/internal";
import type { SkillServer } from "../create-skill-server.ts";
import { refuse } from "./http-answer.ts";
import type { HttpSession } from "./http-session.ts";
import type { HttpSessions } from "./http-sessions.ts";

interface Post {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly session: HttpSession | undefined;
  readonly sessions: HttpSessions;
  readonly server: SkillServer;
  readonly answerModern: AnswerModern;
}

/** Answers a request of 2026-07-28, or says why it is none. */
export type AnswerModern = (
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
) => Promise<void>;

const MAX_BATCH = 32;

/** To its session, to a new one when it is the first message of one, or to the stateless protocol. */
export async function routePost(body: unknown, post: Post): Promise<void> {
  const { request, response, session, sessions, server } = post;
  if (session !== undefined) return toSession(body, session, post);
  if (!isFirstMessage(body)) return post.answerModern(request, response, body);
  const begun = sessions.begin();
  if (begun === undefined) {
    const headers = { "retry-after": "60" };
    return refuse(request, response, {
      status: 503,
      message: "there are too many sessions",
      headers,
    });
  }
  await server.connect(begun);
  begun.receive([body], request, response, { "mcp-session-id": begun.sessionId });
}

function toSession(body: unknown, session: HttpSession, { request, response }: Post): void {
  const version = request.headers["mcp-protocol-version"];
  if (typeof version === "string" && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
    const message = `the protocol "${quoteLine(version, 50)}" is not known here`;
    return refuse(request, response, { status: 400, message });
  }
  const messages = messagesOf(body);
  if (messages === undefined) {
    const message = "the body is not a JSON-RPC message";
    return refuse(request, response, { status: 400, message, code: -32_600 });
  }
  session.receive(messages, request, response);
}

/** One message, or a batch as an earlier protocol has it. A session is begun only once. */
function messagesOf(body: unknown): JSONRPCMessage[] | undefined {
  const given: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (given.length === 0 || given.length > MAX_BATCH) return undefined;
  try {
    const messages = given.map((message) => parseJSONRPCMessage(message));
    return messages.some(isInitializeRequest) ? undefined : messages;
  } catch {
    return undefined;
  }
}

/** Of the protocol with sessions: the other says in each message which one it is. */
function isFirstMessage(body: unknown): body is JSONRPCMessage {
  if (!isInitializeRequest(body)) return false;
  const { _meta } = body.params;
  return _meta === undefined || !Object.hasOwn(_meta, PROTOCOL_VERSION_META_KEY);
}
