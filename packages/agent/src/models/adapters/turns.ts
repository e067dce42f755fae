import { frame, plural } from "@skillwright/core/internal";
import { isRecord, type JsonRecord } from "../http/json.ts";
import type { ModelCall, ModelImage, ModelMessage, ModelRequest } from "../model.ts";

interface WiredRequest {
  /** The request with names that every service accepts. */
  readonly wired: ModelRequest;
  /** Gives a call the name of its action back. */
  readonly restore: <Call extends { readonly name: string }>(call: Call) => Call;
}

/** One name with a dot or a slash, as tools of MCP servers have, makes services refuse a request. */
export function wireNames(request: ModelRequest): WiredRequest {
  const toWire = new Map<string, string>();
  // Valid names keep their form, so they are placed first.
  const names = request.actions.map(({ name }) => name);
  const fromWire = new Map(
    names.filter((name) => wireName(name) === name).map((name) => [name, name]),
  );
  for (const name of names.filter((one) => !fromWire.has(one))) {
    const plain = wireName(name);
    let wire = plain;
    for (let count = 2; fromWire.has(wire); count++) wire = `${plain.slice(0, 58)}_${count}`;
    fromWire.set(wire, name);
    toWire.set(name, wire);
  }
  if (toWire.size === 0) return { wired: request, restore: (call) => call };
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

export interface CallResult {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly isError: boolean;
  readonly images: readonly ModelImage[];
}

interface TurnOptions {
  /** Reasoning of others is dropped. */
  readonly provider: string;
  /** If false, a note replaces images. */
  readonly acceptsImages: boolean;
  /** Writes calls and results as text, for requests without tools. */
  readonly isPlain: boolean;
}

type Observed = Exclude<ModelMessage, { role: "assistant" }>;

/**
 * Pairs calls with their observations. A call without one gets a result that says so; an observation
 * without a call, or a second one, becomes text of the user.
 */
export function turnsOf(messages: readonly ModelMessage[], options: TurnOptions): Turn[] {
  const observations = pairedWith(messages);
  const paired = new Set(observations.flat());
  const ids = new Set<string>();
  const turns: Turn[] = [];
  for (const [at, message] of messages.entries()) {
    if (message.role !== "assistant") {
      if (!paired.has(message)) addTurn(turns, unpairedTurn(message, options));
      continue;
    }
    const { content, calls: given = [], reasoning = [] } = message;
    if (content.trim() === "" && given.length === 0) continue;
    const own = reasoning.filter(({ provider }) => provider === options.provider);
    const calls = given.map((call) => turnCall(call, ids));
    addTurn(turns, { role: "assistant", content, calls, reasoning: own.map(({ data }) => data) });
    if (calls.length === 0) continue;
    const results = calls.map(({ id, name }, index): CallResult => {
      return { id, name, ...resultOf(observations[at]?.[index], options) };
    });
    addTurn(turns, { role: "user", results, content: "", images: [] });
  }
  if (turns[0]?.role !== "user") turns.unshift(userTurn("Begin."));
  if (turns.at(-1)?.role === "assistant") turns.push(userTurn("Continue."));
  return options.isPlain ? turns.map(asText) : turns;
}

/** By message and call, its observation. An id that is used again belongs to the later call. */
function pairedWith(messages: readonly ModelMessage[]): readonly (readonly Observed[])[] {
  const observations: Observed[][] = messages.map(() => []);
  const open = new Map<string, (readonly [message: number, call: number])[]>();
  for (const [at, message] of messages.entries()) {
    if (message.role === "assistant") {
      const { calls = [] } = message;
      for (const { id } of calls) open.set(id, []);
      for (const [index, { id }] of calls.entries()) open.get(id)?.push([at, index]);
    } else if (message.role === "observation" && message.callId !== undefined) {
      const [of, index] = open.get(message.callId)?.shift() ?? [];
      if (of !== undefined && index !== undefined) (observations[of] ?? [])[index] = message;
    }
  }
  return observations;
}

function turnCall({ id, name, input }: ModelCall, ids: Set<string>): TurnCall {
  const plain = id.replace(/[^\w-]/g, "_").slice(0, 32) || "call";
  let unique = plain;
  for (let count = 2; ids.has(unique); count++) unique = `${plain}_${count}`;
  ids.add(unique);
  // A name the model made up would make the service refuse the whole conversation.
  return { id: unique, name: wireName(name), input: isRecord(input) ? input : { input } };
}

const NO_RESULT = "No result: this call was not carried out.";

function resultOf(message: Observed | undefined, options: TurnOptions) {
  if (message === undefined) return { content: NO_RESULT, isError: true, images: [] };
  const shown = shownOf(message, options);
  return { ...shown, content: orPlaceholder(shown.content) };
}

function shownOf(message: Observed, { acceptsImages }: TurnOptions) {
  const { content, images = [] } = message;
  const isError = message.role === "observation" && message.isError === true;
  if (acceptsImages || images.length === 0) return { content, isError, images };
  const note = `[${plural(images.length, "image")} left out: this model does not accept images]`;
  return { content: join(content, note), isError, images: [] };
}

/** An observation without a call is put into a frame that it cannot leave. */
function unpairedTurn(message: Observed, options: TurnOptions): UserTurn {
  const shown = shownOf(message, options);
  const isFramed = message.role === "observation" && shown.content.trim() !== "";
  const content = isFramed ? frame("tool_result", {}, resultText(shown)) : shown.content;
  return { ...userTurn(orPlaceholder(content)), images: shown.images };
}

function userTurn(content: string): UserTurn {
  return { role: "user", results: [], content, images: [] };
}

function addTurn(turns: Turn[], turn: Turn): void {
  const last = turns.at(-1);
  const content = join(last?.content ?? "", turn.content);
  if (last?.role === "user" && turn.role === "user") {
    const images = [...last.images, ...turn.images];
    turns[turns.length - 1] = { ...last, content, images };
  } else if (last?.role === "assistant" && turn.role === "assistant") {
    const reasoning = [...last.reasoning, ...turn.reasoning];
    turns[turns.length - 1] = { ...turn, content, reasoning };
  } else turns.push(turn);
}

/** Services refuse an empty text. */
function orPlaceholder(text: string): string {
  return text.trim() === "" ? "(no text)" : text;
}

function join(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** Marks an error in the text, for services without a field for that. */
export function resultText({ content, isError }: Pick<CallResult, "content" | "isError">): string {
  return isError && !/^error:/i.test(content) ? `Error: ${content}` : content;
}

/** A call becomes the decision it is, its result a frame, so that no result reads as an instruction. */
function asText(turn: Turn): Turn {
  if (turn.role === "assistant") {
    const decisions = turn.calls.map(({ name, input }) => {
      const { action: _, ...rest } = input;
      return JSON.stringify({ action: name, ...rest });
    });
    const texts = [turn.content, ...decisions].filter((text) => text.trim() !== "");
    return { ...turn, content: texts.join("\n"), calls: [], reasoning: [] };
  }
  const frames = turn.results.map((result) =>
    frame("tool_result", { tool: result.name }, resultText(result)),
  );
  const images = [...turn.results.flatMap((result) => result.images), ...turn.images];
  return { ...userTurn(join(...frames, turn.content)), images };
}
