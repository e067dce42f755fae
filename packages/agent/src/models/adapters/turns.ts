import { type JsonSchema, frame, plural } from "@skillwright/core/internal";
import { isRecord, type JsonRecord } from "../http/json.ts";
import type {
  ActionDefinition,
  ModelCall,
  ModelImage,
  ModelMessage,
  ModelRequest,
} from "../model.ts";
import type { Settings } from "./settings.ts";
import { decisionSchema, instructionsFor } from "./written-decision.ts";

interface WiredRequest {
  /** The request with names that every service accepts. */
  readonly wired: ModelRequest;
  /** Gives a call the name of its action back. */
  readonly restore: <Call extends { readonly name: string }>(call: Call) => Call;
}

/** One name with a dot or a slash, as tools of MCP servers have, makes services refuse a request. */
export function wireNames(request: ModelRequest): WiredRequest {
  const names = request.actions.map(({ name }) => name);
  const isValid = (name: string) => wireName(name) === name;
  if (names.every(isValid)) return { wired: request, restore: (call) => call };
  // Valid names keep their form, so they are placed first.
  const fromWire = new Map(names.filter(isValid).map((name) => [name, name]));
  const toWire = new Map<string, string>();
  for (const name of names.filter((one) => !isValid(one))) {
    const wire = unused(wireName(name).slice(0, 58), fromWire);
    fromWire.set(wire, name);
    toWire.set(name, wire);
  }
  const rename = <Named extends { readonly name: string }>(named: Named): Named => ({
    ...named,
    name: toWire.get(named.name) ?? named.name,
  });
  const messages = request.messages.map((message) =>
    message.role === "assistant" && message.calls !== undefined
      ? { ...message, calls: message.calls.map(rename) }
      : message,
  );
  return {
    wired: { ...request, actions: request.actions.map(rename), messages },
    restore: (call) => ({ ...call, name: fromWire.get(call.name) ?? call.name }),
  };
}

function wireName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, 64) || "unknown";
}

/** The name itself, or with the first number that makes it another one. */
function unused(name: string, used: { has(name: string): boolean }): string {
  let free = name;
  for (let count = 2; used.has(free); count++) free = `${name}_${count}`;
  return free;
}

/** A request as services accept it, with what the model was set up with. */
export interface Prompt extends Settings {
  /** Empty for none. */
  readonly system: string;
  readonly turns: readonly Turn[];
  /** Empty where decisions are written as text. */
  readonly tools: readonly ActionDefinition[];
  /** Of a decision written as text, where one may be made. */
  readonly schema?: JsonSchema;
  readonly maxTokens: number;
}

/** In the `json` protocol the system prompt says how to write a decision. */
export function promptOf(
  { system, messages, actions, maxOutputTokens }: ModelRequest,
  settings: Settings,
): Prompt {
  const isWritten = settings.protocol === "json";
  const schema = isWritten && actions.length > 0 ? decisionSchema(actions) : undefined;
  const isPlain = isWritten || actions.length === 0;
  const instructions = schema === undefined ? "" : instructionsFor(schema);
  return {
    ...settings,
    system: join(...[system, instructions].filter(isFilled)),
    turns: isPlain ? turnsOf(messages, settings).map(asText) : turnsOf(messages, settings),
    tools: isPlain ? [] : actions,
    ...(schema !== undefined && { schema }),
    maxTokens: Math.min(maxOutputTokens, settings.maxOutputTokens),
  };
}

/**
 * A part of a conversation as services accept it: turns alternate, from the user to the user, none is
 * empty, and the results of all calls are in the next turn, in the order of the calls.
 */
export interface Turn {
  readonly role: "user" | "assistant";
  /** Before the text. */
  readonly results: CallResult[];
  /** Empty only behind results, or with images or calls. */
  content: string;
  readonly images: ModelImage[];
  readonly calls: TurnCall[];
  /** What this provider sent as reasoning, unchanged. */
  readonly reasoning: unknown[];
}

interface TurnCall {
  /** Unique in the conversation, in characters that every service accepts. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonRecord;
}

export interface CallResult {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly isError: boolean;
  readonly images: readonly ModelImage[];
}

type Shown = Omit<CallResult, "id" | "name">;

/**
 * Pairs calls with their observations. A call without one gets a result that says so; an observation
 * without a call, or a second one, becomes text of the user.
 */
function turnsOf(messages: readonly ModelMessage[], settings: Settings): Turn[] {
  const turns: Turn[] = [];
  const ids = new Set<string>();
  /** Results to come, by the id of the call. An id that is used again belongs to the later call. */
  const due = new Map<string, CallResult[]>();
  for (const message of messages) {
    if (message.role !== "assistant") {
      const callId = message.role === "observation" ? message.callId : undefined;
      const result = callId === undefined ? undefined : due.get(callId)?.shift();
      const { content, images, isError } = shownOf(message, settings);
      if (result !== undefined) {
        Object.assign(result, { content: filled(content), images, isError });
        continue;
      }
      // An observation without a call is put into a frame that it cannot leave.
      const isFramed = message.role === "observation" && isFilled(content);
      const text = isFramed ? frame("tool_result", {}, resultText({ content, isError })) : content;
      const turn = turnFor("user", turns, filled(text));
      turn.images.push(...images);
      continue;
    }
    const { content, calls: given = [], reasoning = [] } = message;
    if (!isFilled(content) && given.length === 0) continue;
    const turn = turnFor("assistant", turns, content);
    const own = reasoning.filter(({ provider }) => provider === settings.provider);
    turn.reasoning.push(...own.map(({ data }) => data));
    if (given.length === 0) continue;
    turn.calls.push(...given.map((call) => turnCall(call, ids)));
    const { results } = turnFor("user", turns, "");
    results.push(...turn.calls.map(({ id, name }) => ({ id, name, ...NO_RESULT })));
    for (const { id } of given) due.set(id, []);
    for (const [index, result] of results.entries()) due.get(given[index]?.id ?? "")?.push(result);
  }
  if (turns[0]?.role !== "user") turns.unshift(turnFor("user", [], "Begin."));
  if (turns.at(-1)?.role === "assistant") turnFor("user", turns, "Continue.");
  return turns;
}

/** The last turn, or a new one where that is of the other role, with this text added to it. */
function turnFor(role: Turn["role"], turns: Turn[], content: string): Turn {
  const last = turns.at(-1);
  if (last?.role === role) {
    last.content = join(last.content, content);
    return last;
  }
  const turn = { role, results: [], content, images: [], calls: [], reasoning: [] };
  turns.push(turn);
  return turn;
}

const NO_RESULT: Shown = {
  content: "No result: this call was not carried out.",
  isError: true,
  images: [],
};

function turnCall({ id, name, input }: ModelCall, ids: Set<string>): TurnCall {
  const unique = unused(id.replace(/[^\w-]/g, "_").slice(0, 32) || "call", ids);
  ids.add(unique);
  // A name the model made up would make the service refuse the whole conversation.
  return { id: unique, name: wireName(name), input: isRecord(input) ? input : { input } };
}

function shownOf(
  message: Exclude<ModelMessage, { role: "assistant" }>,
  { acceptsImages }: Settings,
): Shown {
  const { content, images = [] } = message;
  const isError = message.role === "observation" && message.isError === true;
  if (acceptsImages || images.length === 0) return { content, isError, images };
  const note = `[${plural(images.length, "image")} left out: this model does not accept images]`;
  return { content: join(content, note), isError, images: [] };
}

/** Services refuse an empty text. */
function filled(text: string): string {
  return isFilled(text) ? text : "(no text)";
}

function isFilled(text: string): boolean {
  return text.trim() !== "";
}

function join(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** Marks an error in the text, for services without a field for that. */
export function resultText({ content, isError }: Pick<Shown, "content" | "isError">): string {
  return isError && !/^error:/i.test(content) ? `Error: ${content}` : content;
}

/** A call becomes the decision it is, its result a frame, so that no result reads as an instruction. */
function asText({ role, content, calls, results, images }: Turn): Turn {
  const decisions = calls.map(({ name, input }) => {
    const { action: _, ...rest } = input;
    return JSON.stringify({ action: name, ...rest });
  });
  const frames = results.map((one) => frame("tool_result", { tool: one.name }, resultText(one)));
  const text =
    decisions.length === 0 ? content : [content, ...decisions].filter(isFilled).join("\n");
  return {
    role,
    results: [],
    content: join(...frames, text),
    images: [...results.flatMap((result) => result.images), ...images],
    calls: [],
    reasoning: [],
  };
}
