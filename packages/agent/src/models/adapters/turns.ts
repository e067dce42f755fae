import type { JsonSchema } from "@skillwright/core";
import { frame, plural } from "@skillwright/core/internal";
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

/** A request as services accept it. */
export interface Prompt {
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
    system: join(...[system, instructions].filter((text) => text.trim() !== "")),
    turns: isPlain ? turnsOf(messages, settings).map(asText) : turnsOf(messages, settings),
    tools: isPlain ? [] : actions,
    ...(schema !== undefined && { schema }),
    maxTokens: Math.min(maxOutputTokens, settings.maxOutputTokens),
  };
}

/**
 * A conversation as services accept it: turns alternate, from the user to the user, none is empty, and
 * the results of all calls are at the beginning of the next turn, in the order of the calls.
 */
export type Turn = UserTurn | AssistantTurn;

export interface UserTurn {
  readonly role: "user";
  readonly results: readonly CallResult[];
  /** Empty only behind results or with images. */
  readonly content: string;
  readonly images: readonly ModelImage[];
}

export interface AssistantTurn {
  readonly role: "assistant";
  readonly content: string;
  readonly calls: readonly TurnCall[];
  /** What this provider sent as reasoning, unchanged. */
  readonly reasoning: readonly unknown[];
}

interface TurnCall {
  /** Unique in the conversation, in characters that every service accepts. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonRecord;
}

interface Shown {
  readonly content: string;
  readonly isError: boolean;
  readonly images: readonly ModelImage[];
}

export interface CallResult extends Shown {
  readonly id: string;
  readonly name: string;
}

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
      const shown = shownOf(message, settings);
      if (result !== undefined) Object.assign(result, shown, { content: filled(shown.content) });
      else addTurn(turns, unpairedTurn(shown, message.role));
      continue;
    }
    const { content, calls: given = [], reasoning = [] } = message;
    if (content.trim() === "" && given.length === 0) continue;
    const own = reasoning.filter(({ provider }) => provider === settings.provider);
    const calls = given.map((call) => turnCall(call, ids));
    addTurn(turns, { role: "assistant", content, calls, reasoning: own.map(({ data }) => data) });
    if (calls.length === 0) continue;
    const results = calls.map(({ id, name }) => ({ id, name, ...NO_RESULT }));
    for (const { id } of given) due.set(id, []);
    for (const [index, result] of results.entries()) due.get(given[index]?.id ?? "")?.push(result);
    addTurn(turns, { role: "user", results, content: "", images: [] });
  }
  if (turns[0]?.role !== "user") turns.unshift(userTurn("Begin."));
  if (turns.at(-1)?.role === "assistant") turns.push(userTurn("Continue."));
  return turns;
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

/** An observation without a call is put into a frame that it cannot leave. */
function unpairedTurn(shown: Shown, role: "user" | "observation"): UserTurn {
  const isFramed = role === "observation" && shown.content.trim() !== "";
  const content = isFramed ? frame("tool_result", {}, resultText(shown)) : shown.content;
  return { ...userTurn(filled(content)), images: shown.images };
}

function userTurn(content: string): UserTurn {
  return { role: "user", results: [], content, images: [] };
}

function addTurn(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1);
  const content = join(last?.content ?? "", turn.content);
  if (last?.role === "user" && turn.role === "user") {
    turns[turns.length - 1] = { ...last, content, images: [...last.images, ...turn.images] };
  } else if (last?.role === "assistant" && turn.role === "assistant") {
    const reasoning = [...last.reasoning, ...turn.reasoning];
    turns[turns.length - 1] = { ...turn, content, reasoning };
  } else turns.push(turn);
}

/** Services refuse an empty text. */
function filled(text: string): string {
  return text.trim() === "" ? "(no text)" : text;
}

function join(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** Marks an error in the text, for services without a field for that. */
export function resultText({ content, isError }: Pick<Shown, "content" | "isError">): string {
  return isError && !/^error:/i.test(content) ? `Error: ${content}` : content;
}

/** A call becomes the decision it is, its result a frame, so that no result reads as an instruction. */
function asText(turn: Turn): Turn {
  if (turn.role === "assistant") {
    const decisions = turn.calls.map(({ name, input: { action: _, ...rest } }) =>
      JSON.stringify({ action: name, ...rest }),
    );
    const texts = [turn.content, ...decisions].filter((text) => text.trim() !== "");
    return { ...turn, content: texts.join("\n"), calls: [], reasoning: [] };
  }
  const frames = turn.results.map((result) =>
    frame("tool_result", { tool: result.name }, resultText(result)),
  );
  const images = [...turn.results.flatMap((result) => result.images), ...turn.images];
  return { ...userTurn(join(...frames, turn.content)), images };
}
