import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { SkillTool } from "@skillwright/core";
import type { ClientQuestion } from "../approval/client-approver.ts";
import { fallbackTools, RUN_SCRIPT } from "../fallback-tools.ts";
import { reportProgress } from "../report-progress.ts";
import { cacheFields, type ClientSession, type ServerParts } from "../server-parts.ts";

const APPROVAL = "approval";
const ALLOW = "allow once";
const DENY = "deny";
const MAX_ECHOED = 100;

/** Tools for clients that do not read skills themselves. */
export function addToolMethods(server: Server, parts: ServerParts, session: ClientSession): void {
  const { skills } = parts;

  server.setRequestHandler("tools/list", (_, context) =>
    session.answer("tools/list", async () => {
      await skills.refreshIfStale();
      const tools = session.readsSkills(context) ? [] : fallbackTools(parts, session);
      return { tools: tools.map(definitionOf), ...cacheFields(session) };
    }),
  );

  server.setRequestHandler("tools/call", ({ params }, context) =>
    session.answer("tools/call", async () => {
      await skills.refreshIfStale();
      const tools = session.readsSkills(context) ? [] : fallbackTools(parts, session);
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined) throw unknownTool(params.name);
      return callTool(tool, params.arguments ?? {}, { parts, session, context });
    }),
  );
}

function definitionOf({ name, description, inputSchema }: SkillTool): Tool {
  const runs = name === RUN_SCRIPT;
  return {
    name,
    description,
    // A copy: the wire's type is not read-only.
    inputSchema: structuredClone(inputSchema) as Tool["inputSchema"],
    annotations: { readOnlyHint: !runs, destructiveHint: runs, openWorldHint: runs },
  };
}

interface CallSurroundings {
  readonly parts: ServerParts;
  readonly session: ClientSession;
  readonly context: ServerContext;
}

async function callTool(
  tool: SkillTool,
  input: unknown,
  { parts, session, context }: CallSurroundings,
): Promise<CallToolResult | InputRequiredResult> {
  const { approver, logger } = parts;
  const { signal } = context.mcpReq;
  const stop = tool.name === RUN_SCRIPT ? reportProgress(context, "the script runs") : undefined;
  const work = () => tool.execute(input, { signal, ...(logger && { logger }) });
  const client = session.client();
  try {
    const call = { canAsk: session.canElicit(context), client, answer: answerIn(context) };
    const { result, question } =
      approver === undefined ? { result: await work() } : await approver.during(call, work);
    if (question !== undefined) return asQuestion(question);
    const answer = toolResult(tool, result);
    if (answer.isError === true) await logFailure(tool, answer, context);
    return answer;
  } finally {
    stop?.();
  }
}

/** For whoever looks after the client; a model gets the result. */
async function logFailure(
  { name }: SkillTool,
  { structuredContent }: CallToolResult,
  { mcpReq }: ServerContext,
): Promise<void> {
  const { code, message } = isObject(structuredContent) ? structuredContent : {};
  // What a script wrote may be anything, so that only its failing is told.
  const data = code === "script-failed" ? { tool: name, code } : { tool: name, code, message };
  // oxlint-disable-next-line typescript/no-deprecated -- as long as clients listen to it
  await mcpReq.log("warning", data, "skillwright").catch(() => {});
}

function toolResult(tool: SkillTool, result: unknown): CallToolResult {
  const content = [{ type: "text" as const, text: tool.toText(result) }];
  const isError = tool.isError?.(result) === true || isFailure(result);
  const structured = isObject(result) ? { structuredContent: plainJson(result) } : {};
  return { content, ...structured, ...(isError && { isError }) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What JSON has no word for is left out, as it would be on the way. */
function plainJson(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}

function isFailure(result: unknown): boolean {
  return isObject(result) && result["ok"] === false;
}

function asQuestion({ text, state }: ClientQuestion): InputRequiredResult {
  return inputRequired({
    requestState: state,
    inputRequests: {
      [APPROVAL]: inputRequired.elicit({
        message: `A skill asks to run something:\n\n${text}`,
        requestedSchema: {
          type: "object",
          properties: {
            decision: { type: "string", title: "May it run?", enum: [DENY, ALLOW] },
          },
          required: ["decision"],
        },
      }),
    },
  });
}

/** Anything but a clear yes is a no. */
function answerIn({ mcpReq: { inputResponses, requestState } }: ServerContext) {
  const state: unknown = requestState();
  const response =
    inputResponses && Object.hasOwn(inputResponses, APPROVAL) && inputResponses[APPROVAL];
  if (typeof state !== "string" || !isObject(response)) return undefined;
  const { action, content } = response;
  const approved = action === "accept" && isObject(content) && content["decision"] === ALLOW;
  return { state, approved };
}

function unknownTool(name: string): ProtocolError {
  const message = `there is no tool ${JSON.stringify(name.slice(0, MAX_ECHOED))}`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
