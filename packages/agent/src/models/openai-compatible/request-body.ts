import { pairCalls, type PairedCall, plainTurns, type Turn } from "../conversation/turns.ts";
import { decisionSchema, systemForText } from "../conversation/written-decision.ts";
import { encodeJson } from "../http/json.ts";
import type { ActionDefinition, ModelRequest } from "../model.ts";
import type { Features } from "./features.ts";

export interface BodyOptions {
  readonly model: string;
  readonly maxOutputTokens: number;
  readonly stream: boolean;
  readonly features: Features;
}

/** A request in the words of chat completions. */
export function requestBody(request: ModelRequest, options: BodyOptions): Record<string, unknown> {
  const { features, stream } = options;
  const turns = pairCalls(request.messages);
  const hasTools = features.decisions === "tools" && request.actions.length > 0;
  const system = features.decisions === "tools" ? request.system : systemForText(request);
  return {
    model: options.model,
    messages: [
      ...(system.trim() === "" ? [] : [{ role: "system", content: system }]),
      ...(hasTools ? turns.flatMap(toolTurn) : plainTurns(turns)),
    ],
    [features.tokenLimit]: Math.min(request.maxOutputTokens, options.maxOutputTokens),
    ...(hasTools && toolFields(request.actions, features)),
    ...(request.actions.length > 0 && responseFormat(request.actions, features)),
    stream,
    ...(stream && features.streamOptions && { stream_options: { include_usage: true } }),
  };
}

function toolFields(actions: readonly ActionDefinition[], features: Features) {
  return {
    tools: actions.map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    })),
    ...(features.toolChoice && { tool_choice: "required" }),
    ...(features.parallelToolCalls && { parallel_tool_calls: false }),
  };
}

function responseFormat(actions: readonly ActionDefinition[], { decisions }: Features) {
  if (decisions === "json_object") return { response_format: { type: "json_object" } };
  if (decisions !== "json_schema") return {};
  // Strict would demand that every property is required, which actions with options are not.
  const json_schema = { name: "decision", strict: false, schema: decisionSchema(actions) };
  return { response_format: { type: "json_schema", json_schema } };
}

function toolTurn(turn: Turn): unknown[] {
  if (turn.role === "user") return [turn];
  const { content, calls } = turn;
  if (calls.length === 0) return [{ role: "assistant", content }];
  return [
    { role: "assistant", content, tool_calls: calls.map(toolCall) },
    ...calls.map(({ id, result }) => ({ role: "tool", tool_call_id: id, content: result })),
  ];
}

function toolCall({ id, name, input }: PairedCall) {
  return { id, type: "function", function: { name, arguments: encodeJson(input) } };
}
