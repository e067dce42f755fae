import { frame } from "@skillwright/core/internal";
import { isRecord, type JsonRecord } from "../http/json.ts";
import type { ModelCall, ModelImage, ModelMessage, ModelRequest } from "../model.ts";

interface WiredRequest {
  /** The request with names that every service takes. */
  readonly wired: ModelRequest;
  /** Gives a call the name of its action back. */
  readonly restore: <Call extends { readonly name: string }>(call: Call) => Call;
}

/** Services refuse a request for one name with a dot or a slash, as tools of other servers have. */
export function wireNames(request: ModelRequest): WiredRequest {
  const toWire = new Map<string, string>();
  const fromWire = new Map<string, string>();
  // Names that are fine stay as they are, so that others make room for them.
  const names = request.actions.map(({ name }) => name);
  for (const name of names) if (wireName(name) === name) fromWire.set(name, name);
  for (const name of names) {
    if (fromWire.has(name)) continue;
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
 * A conversation as services take it. Each call has exactly one result. It begins with the user, two
 * turns of the user never follow each other, and the model's turn is next.
 */
export type Turn = UserTurn | AssistantTurn;

export interface UserTurn {
  readonly role: "user";
  readonly content: string;
  readonly images: readonly ModelImage[];
}

export interface AssistantTurn {
  readonly role: "assistant";
  readonly content: string;
  readonly calls: readonly PairedCall[];
  /** What this provider sent as reasoning, unchanged. */
  readonly reasoning: readonly unknown[];
}

export interface PairedCall {
  /** Unique in the conversation, of characters that every service takes. */
  readonly id: string;
  readonly name: string;
  readonly input: JsonRecord;
  readonly result: CallResult;
}

export interface CallResult {
  readonly content: string;
  readonly isError: boolean;
  readonly images: readonly ModelImage[];
}

interface PairOptions {
  /** Reasoning of others is dropped. */
  readonly provider: string;
  /** If false, a note takes the place of images. */
  readonly acceptsImages: boolean;
}

interface OpenCall extends Omit<PairedCall, "result"> {
  result?: CallResult;
}

type OpenTurn = UserTurn | (Omit<AssistantTurn, "calls"> & { readonly calls: readonly OpenCall[] });

const NO_RESULT = "No result: this call was not carried out.";
const NO_TEXT = "(no text)";

/**
 * Pairs calls with their observations, as services demand. A call without one gets a result that says
 * so; an observation without a call, or a second one, becomes a message of the user.
 */
export function pairCalls(messages: readonly ModelMessage[], options: PairOptions): Turn[] {
  const open = new Map<string, OpenCall[]>();
  const ids = new Set<string>();
  const turns: OpenTurn[] = [];
  for (const message of messages) {
    if (message.role === "assistant") {
      const given = message.calls ?? [];
      for (const { id } of given) open.set(id, []);
      const calls = given.map((call) => openCall(call, ids));
      for (const [index, call] of calls.entries()) open.get(given[index]?.id ?? "")?.push(call);
      const own = (message.reasoning ?? []).filter(({ provider }) => provider === options.provider);
      const reasoning = own.map(({ data }) => data);
      turns.push({ role: "assistant", content: message.content, calls, reasoning });
      continue;
    }
    const callId = message.role === "observation" ? message.callId : undefined;
    const candidates = callId === undefined ? [] : (open.get(callId) ?? []);
    const call = candidates.find(({ result }) => result === undefined);
    const result = contentOf(message, options);
    if (call !== undefined) call.result = result;
    else turns.push({ ...unpaired(message.role, result), role: "user" });
  }
  return joinTurns(turns.map(closeTurn));
}

/** Says in the text that a result is an error, for services without a field for that. */
export function resultText({ content, isError }: CallResult): string {
  return isError && !/^error:/i.test(content) ? `Error: ${content}` : content;
}

function contentOf(
  message: Exclude<ModelMessage, { role: "assistant" }>,
  { acceptsImages }: PairOptions,
): CallResult {
  const { content, images = [] } = message;
  const isError = message.role === "observation" && message.isError === true;
  if (acceptsImages || images.length === 0) return { content, isError, images };
  const count = images.length === 1 ? "1 image" : `${images.length} images`;
  const note = `[${count} left out: this model does not accept images]`;
  return { content: join(content, note), isError, images: [] };
}

/** Without a call to answer, a result is a message of the user, in a frame that it cannot leave. */
function unpaired(role: ModelMessage["role"], result: CallResult) {
  const { content, images } = result;
  const isFramed = role === "observation" && content.trim() !== "";
  return { content: isFramed ? frame("tool_result", {}, resultText(result)) : content, images };
}

function joinTurns(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    if (turn.role === "assistant" && turn.content.trim() === "" && turn.calls.length === 0) {
      continue;
    }
    const last = joined.at(-1);
    if (last?.role === "user" && turn.role === "user") {
      joined[joined.length - 1] = joinUserTurns(last, turn);
    } else if (last?.role === "assistant" && turn.role === "assistant" && last.calls.length === 0) {
      const content = join(last.content, turn.content);
      const reasoning = [...last.reasoning, ...turn.reasoning];
      joined[joined.length - 1] = { ...turn, content, reasoning };
    } else joined.push(turn);
  }
  if (joined[0]?.role !== "user") joined.unshift(userTurn("Begin."));
  const last = joined.at(-1);
  if (last?.role === "assistant" && last.calls.length === 0) joined.push(userTurn("Continue."));
  return joined;
}

function joinUserTurns(a: UserTurn, b: UserTurn): UserTurn {
  return { ...userTurn(join(a.content, b.content)), images: [...a.images, ...b.images] };
}

function userTurn(content: string): UserTurn {
  return { role: "user", content, images: [] };
}

function openCall({ id, name, input }: ModelCall, ids: Set<string>): OpenCall {
  return {
    id: uniqueId(id, ids),
    // A name the model made up would make the service refuse the whole conversation.
    name: wireName(name),
    input: isRecord(input) ? input : { input },
  };
}

function closeTurn(turn: OpenTurn): Turn {
  if (turn.role === "user") return { ...turn, content: orPlaceholder(turn.content) };
  const calls = turn.calls.map((call) => {
    const result = call.result ?? { content: NO_RESULT, isError: true, images: [] };
    return { ...call, result: { ...result, content: orPlaceholder(result.content) } };
  });
  return { ...turn, calls };
}

function uniqueId(id: string, ids: Set<string>): string {
  const plain = id.replace(/[^\w-]/g, "_").slice(0, 32) || "call";
  let unique = plain;
  for (let count = 2; ids.has(unique); count++) unique = `${plain}_${count}`;
  ids.add(unique);
  return unique;
}

/** Services refuse an empty text. */
function orPlaceholder(text: string): string {
  return text.trim() === "" ? NO_TEXT : text;
}

function join(a: string, b: string): string {
  return [a, b].filter((text) => text !== "").join("\n\n");
}

type PlainTurn = UserTurn | { readonly role: "assistant"; readonly content: string };

/**
 * The conversation in text alone, for models without tools: a call is written as the decision it is,
 * its result is a framed message of the user, so that no result reads as an instruction. The roles
 * alternate.
 */
export function plainTurns(turns: readonly Turn[]): PlainTurn[] {
  const plain: PlainTurn[] = [];
  for (const turn of turns.flatMap(asText)) {
    const last = plain.at(-1);
    if (last?.role === "user" && turn.role === "user") {
      plain[plain.length - 1] = joinUserTurns(last, turn);
    } else if (last?.role === turn.role) {
      plain[plain.length - 1] = { ...turn, content: join(last.content, turn.content) };
    } else plain.push(turn);
  }
  return plain;
}

function asText(turn: Turn): PlainTurn[] {
  if (turn.role === "user") return [turn];
  const decisions = turn.calls.map(({ name, input }) => {
    const { action: _, ...rest } = input;
    return JSON.stringify({ action: name, ...rest });
  });
  const content = [turn.content, ...decisions].filter((text) => text.trim() !== "").join("\n");
  const results = turn.calls.map(({ name, result }) => ({
    ...userTurn(frame("tool_result", { tool: name }, resultText(result))),
    images: result.images,
  }));
  return [{ role: "assistant", content }, ...results];
}

/** Puts messages of one role that follow each other into one. */
export function joinRoles<
  Message extends { readonly role: string; readonly content: readonly object[] },
>(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== message.role) joined.push(message);
    else joined[joined.length - 1] = { ...last, content: [...last.content, ...message.content] };
  }
  return joined;
}
