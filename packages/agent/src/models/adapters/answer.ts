import { wireNames } from "./turns.ts";
import { parseJson } from "../http/json.ts";
import type {
  ModelCall,
  ModelContext,
  ModelError,
  ModelRequest,
  ModelResponse,
  ModelUsage,
} from "../model.ts";
import { NO_USAGE } from "../usage.ts";

type Finish = Extract<ModelResponse, { ok: true }>["finish"];

export interface DraftCall {
  id: string | undefined;
  name: string;
  /** Pieces of the input as text. */
  readonly pieces: string[];
  /** The input itself, from services that parse it. */
  input: unknown;
}

/** More calls than any real answer has. */
const MAX_CALLS = 128;
const MAX_NAME = 256;

/** An answer while it comes in, whole or in pieces. */
export class AnswerDraft {
  readonly calls: DraftCall[] = [];
  /** Reasoning that the service wants back, in its own words. */
  readonly reasoning: unknown[] = [];
  usage: ModelUsage = NO_USAGE;
  finish: Finish | undefined;
  /** The service said that this is all. */
  isComplete = false;
  /** The text is a decision in JSON, to be read before anything of it is shown. */
  isSilent = false;
  #text = "";
  readonly #listener: Pick<ModelContext, "onText" | "onCallText">;

  constructor(listener: Pick<ModelContext, "onText" | "onCallText"> = {}) {
    this.#listener = listener;
  }

  get text(): string {
    return this.#text;
  }

  addText(text: string): void {
    if (text === "") return;
    this.#text += text;
    if (!this.isSilent) this.#listener.onText?.(text);
  }

  /** Gives the text and removes it from the draft. */
  takeText(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  addCall(id: string | undefined, name: string): DraftCall {
    const call: DraftCall = { id, name, pieces: [], input: undefined };
    if (this.calls.length < MAX_CALLS) this.calls.push(call);
    return call;
  }

  /** A piece of the input as text, or the whole input as a value. */
  addInput(call: DraftCall, input: unknown): void {
    if (input === undefined || input === null || input === "") return;
    const text = typeof input === "string" ? input : JSON.stringify(input);
    if (typeof input === "string") call.pieces.push(input);
    else call.input = input;
    const index = this.calls.indexOf(call);
    if (index !== -1) this.#listener.onCallText?.({ index, name: call.name, text });
  }

  /** The calls as the loop gets them. `prefix` makes the ids of a service that gives none unique. */
  modelCalls(prefix: string): ModelCall[] {
    return this.calls.map((call, index) => ({
      id: call.id?.slice(0, MAX_NAME) ?? `${prefix}${index}`,
      name: call.name.slice(0, MAX_NAME),
      input: inputOf(call),
    }));
  }

  /** Why it ended. Some services say `stop` for calls too, or nothing. */
  finishOf(calls: readonly ModelCall[]): Finish {
    const isDecided = this.finish === "length" || this.finish === "refused";
    if (calls.length > 0 && !isDecided) return "calls";
    return this.finish ?? "other";
  }
}

/** No input at all means one without parameters. */
function inputOf({ pieces, input }: DraftCall): unknown {
  const text = pieces.join("");
  if (text.trim() === "") return input ?? {};
  const parsed = parseJson(text);
  return parsed === undefined ? text : parsed;
}

interface AnswerOptions {
  /** Marks the reasoning as its own. */
  readonly provider: string;
  readonly clock?: (() => number) | undefined;
  /** Fills the draft, or says what went wrong. Gets names that every service takes. */
  readonly ask: (request: ModelRequest, draft: AnswerDraft) => Promise<ModelError | undefined>;
}

/** Asks, and puts together what all adapters answer alike. */
export async function answerWith(
  request: ModelRequest,
  { onText, onCallText }: ModelContext,
  { provider, clock = Date.now, ask }: AnswerOptions,
): Promise<ModelResponse> {
  const start = clock();
  const { wired, restore } = wireNames(request);
  const draft = new AnswerDraft({
    ...(onText && { onText }),
    ...(onCallText && { onCallText: (fragment) => onCallText(restore(fragment)) }),
  });
  const error = await ask(wired, draft);
  const { usage, text } = draft;
  const latencyMs = Math.max(0, clock() - start);
  if (error !== undefined) return { ok: false, error, usage, latencyMs };
  // Made of the place in the conversation: unique, and the same when a run is replayed.
  const calls = draft.modelCalls(`call_${request.messages.length}_`).map(restore);
  const reasoning = draft.reasoning.map((data) => ({ provider, data }));
  const message = { text, calls, ...(reasoning.length > 0 && { reasoning }) };
  return { ok: true, message, finish: draft.finishOf(calls), usage, latencyMs };
}
