import { pairCalls, plainTurns, type Turn } from "../conversation/turns.ts";
import { decisionSchema, systemForText } from "../conversation/written-decision.ts";
import type { ModelProtocol, ModelRequest } from "../model.ts";
import type { AiSdkCall } from "./ai-sdk-model.ts";

/** A request in the words of the AI SDK, which are the same in its versions 2 to 4. */
export function callOptions(
  request: ModelRequest,
  protocol: ModelProtocol,
  signal: AbortSignal | undefined,
): AiSdkCall {
  const { actions } = request;
  const system = protocol === "tools" ? request.system : systemForText(request);
  const turns = pairCalls(request.messages);
  const hasActions = actions.length > 0;
  const hasTools = hasActions && protocol === "tools";
  const messages = hasTools ? turns.flatMap(toolTurn) : plainTurns(turns).map(plainMessage);
  return {
    prompt: [...(system.trim() === "" ? [] : [{ role: "system", content: system }]), ...messages],
    maxOutputTokens: request.maxOutputTokens,
    ...(hasTools && {
      tools: actions.map((action) => ({ type: "function", ...action })),
      toolChoice: { type: "required" },
    }),
    ...(hasActions &&
      protocol === "json" && {
        responseFormat: { type: "json", name: "decision", schema: decisionSchema(actions) },
      }),
    ...(signal !== undefined && { abortSignal: signal }),
  };
}

function toolTurn(turn: Turn): object[] {
  if (turn.role === "user") return [plainMessage(turn)];
  const { content, calls } = turn;
  const texts = content.trim() === "" ? [] : [{ type: "text", text: content }];
  const callParts = calls.map(({ id, name, input }) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input,
  }));
  const results = calls.map(({ id, name, result }) => ({
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    output: { type: "text", value: result },
  }));
  return [
    { role: "assistant", content: [...texts, ...callParts] },
    ...(results.length > 0 ? [{ role: "tool", content: results }] : []),
  ];
}

function plainMessage({ role, content }: { role: "user" | "assistant"; content: string }): object {
  return { role, content: [{ type: "text", text: content }] };
}
