import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { SkillTool } from "@skillwright/core";
import { quoteLine } from "@skillwright/core/internal";
import { answerIn, asQuestion } from "../approval/as-question.ts";
import { fallbackTools, RUN_SCRIPT } from "../fallback-tools.ts";
import { reportProgress } from "../report-progress.ts";
import { cacheFields, type ClientSession, type ServerParts } from "../server-parts.ts";
import { isObject, toolResult } from "./tool-result.ts";

const MAX_ECHOED = 100;

/** Tools for what clients do not read themselves. */
export function addToolMethods(server: Server, parts: ServerParts, session: ClientSession): void {
  server.setRequestHandler("tools/list", (_, context) =>
    session.answer("tools/list", context, async () => {
      const tools = await offeredTools(parts, session, context);
      return { tools: tools.map(definitionOf), ...cacheFields(session) };
    }),
  );

  server.setRequestHandler("tools/call", ({ params }, context) =>
    session.answer("tools/call", context, async () => {
      const tools = await offeredTools(parts, session, context);
      const tool = tools.find(({ name }) => name === params.name);
      if (tool === undefined) throw unknownTool(params.name);
      const surroundings = { parts, session, context };
      const call = () => callTool(tool, params.arguments ?? {}, surroundings);
      return tool.name === RUN_SCRIPT ? parts.scripts.run(call, tooManyScripts) : call();
    }),
  );
}

/** To a client with the extension tools offer only what the extension cannot say, often nothing. */
async function offeredTools(
  parts: ServerParts,
  session: ClientSession,
  context: ServerContext,
): Promise<SkillTool[]> {
  await parts.skills.refreshIfStale();
  if (!session.readsSkills(context)) return fallbackTools(parts, session.view);
  await parts.published.current();
  return fallbackTools(parts, session.restView);
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
  const { approver, logger, hidePaths } = parts;
  const { signal } = context.mcpReq;
  const stop = tool.name === RUN_SCRIPT ? reportProgress(context, "the script runs") : undefined;
  const client = session.client(context);
  const canAsk = session.canElicit(context);
  const given = { signal, changesMayWait: !canAsk, ...(logger && { logger }) };
  const work = () => tool.execute(input, given);
  try {
    const call = { canAsk, client, answer: answerIn(context) };
    const { result, question } =
      approver === undefined ? { result: await work() } : await approver.during(call, work);
    if (question !== undefined) return asQuestion(question, hidePaths);
    const answer = toolResult(tool, result, hidePaths);
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

function tooManyScripts(): CallToolResult {
  const message = "too many scripts run at the moment";
  const failure = { ok: false, code: "server-busy", message, hint: "Try again later." };
  const content = [{ type: "text" as const, text: `${message}. ${failure.hint}` }];
  return { content, structuredContent: failure, isError: true };
}

function unknownTool(name: string): ProtocolError {
  const message = `there is no tool "${quoteLine(name, MAX_ECHOED)}"`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
