import { pairCalls, type PairedCall, plainTurns, type Turn } from "../conversation/turns.ts";
import type { ActionDefinition, ModelRequest } from "../model.ts";

export interface BodyOptions {
  readonly model: string;
  readonly maxOutputTokens: number;
  readonly stream: boolean;
  /** Not every model can be made to call a tool. */
  readonly forcesTools: boolean;
}

interface Message {
  readonly role: "user" | "assistant";
  readonly content: readonly unknown[];
}

/** A request in the words of Messages. */
export function requestBody(request: ModelRequest, options: BodyOptions): Record<string, unknown> {
  const turns = pairCalls(request.messages);
  const hasTools = request.actions.length > 0;
  return {
    model: options.model,
    max_tokens: Math.min(request.maxOutputTokens, options.maxOutputTokens),
    ...(request.system.trim() !== "" && {
      // What comes before, tools and instructions, is the same in every turn of a run.
      system: [{ ...textBlock(request.system), cache_control: { type: "ephemeral" } }],
    }),
    messages: hasTools ? toolMessages(turns) : plainTurns(turns).map(plainMessage),
    ...(hasTools && toolFields(request.actions, options)),
    stream: options.stream,
  };
}

function toolFields(actions: readonly ActionDefinition[], { forcesTools }: BodyOptions) {
  return {
    tools: actions.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: { type: "object", ...inputSchema },
    })),
    tool_choice: { type: forcesTools ? "any" : "auto", disable_parallel_tool_use: true },
  };
}

/** Results stand first in the user's message after the calls; what the user says follows them. */
function toolMessages(turns: readonly Turn[]): Message[] {
  const messages: Message[] = [];
  for (const message of turns.flatMap(toolTurn)) {
    const last = messages.at(-1);
    if (last?.role !== message.role) messages.push(message);
    else {
      messages[messages.length - 1] = { ...last, content: [...last.content, ...message.content] };
    }
  }
  return messages;
}

function toolTurn(turn: Turn): Message[] {
  if (turn.role === "user") return [plainMessage(turn)];
  const { content, calls } = turn;
  const texts = content.trim() === "" ? [] : [textBlock(content.trimEnd())];
  const message: Message = { role: "assistant", content: [...texts, ...calls.map(toolUse)] };
  if (calls.length === 0) return [message];
  return [message, { role: "user", content: calls.map(toolResult) }];
}

function plainMessage({ role, content }: { role: Message["role"]; content: string }): Message {
  return { role, content: [textBlock(role === "assistant" ? content.trimEnd() : content)] };
}

function textBlock(text: string) {
  return { type: "text", text };
}

function toolUse({ id, name, input }: PairedCall) {
  return { type: "tool_use", id, name, input };
}

function toolResult({ id, result }: PairedCall) {
  return { type: "tool_result", tool_use_id: id, content: result };
}
