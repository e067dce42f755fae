import { defined } from "@skillwright/core/internal";
import { countOf, parseJson } from "../http/json.ts";
import type {
  Model,
  ModelCall,
  ModelContext,
  ModelError,
  ModelRequest,
  ModelResponse,
  ModelUsage,
} from "../model.ts";
import { CANCELED, failed, NO_USAGE } from "../usage.ts";
import type { Settings } from "./settings.ts";
import { wireNames } from "./turns.ts";

type Finish = Extract<ModelResponse, { ok: true }>["finish"];

/** Why an answer ended, in the words of all services. */
const FINISHES: readonly (readonly [Finish, RegExp])[] = [
  ["stop", /^(?:stop|end_turn|stop_sequence)$/i],
  ["calls", /^(?:tool[_-]calls|function_call|tool_use)$/],
  ["length", /^(?:length|max_tokens|model_context_window_exceeded)$/i],
  [
    "refused",
    /^(?:content[_-]filter|refusal|safety|recitation|blocklist|prohibited_content|spii)$/i,
  ],
];

export interface DraftCall {
  id: string | undefined;
  name: string;
  /** Where the service puts its pieces: an index or an id. */
  readonly key: unknown;
  /** A text as far as it came, or the input itself from services that parse it. */
  input: unknown;
}

/** More calls than any real answer has. */
const MAX_CALLS = 128;
const MAX_NAME = 256;

type Listener = Pick<ModelContext, "onText" | "onCallText">;

/** An answer while it comes in, whole or in pieces. */
export class AnswerDraft {
  readonly calls: DraftCall[] = [];
  /** Reasoning that the service wants back, unchanged. */
  readonly reasoning: unknown[] = [];
  usage: ModelUsage = NO_USAGE;
  finish: Finish | undefined;
  /** The service marked the end of its answer. */
  isComplete = false;
  /** The text is a decision in JSON, to be read before anything of it is shown. */
  isSilent = false;
  text = "";
  readonly #listener: Listener;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  addText(text: string): void {
    if (text === "") return;
    this.text += text;
    if (!this.isSilent) this.#listener.onText?.(text);
  }

  addCall(id: string, name: string, key?: unknown): DraftCall {
    const call: DraftCall = { id: id || undefined, name, key, input: "" };
    if (this.calls.length < MAX_CALLS) this.calls.push(call);
    return call;
  }

  callAt(key: unknown): DraftCall | undefined {
    return this.calls.findLast((call) => call.key === key);
  }

  /** A piece of the input as text, or the whole input as a value. */
  addInput(call: DraftCall | undefined, input: unknown): void {
    if (call === undefined || input === undefined || input === null || input === "") return;
    const before = typeof call.input === "string" ? call.input : "";
    call.input = typeof input === "string" ? before + input : input;
    const index = this.calls.indexOf(call);
    const text = typeof input === "string" ? input : JSON.stringify(input);
    if (index !== -1) this.#listener.onCallText?.({ index, name: call.name, text });
  }

  /** Replaces the counts so far, each of which may be anything. */
  count(input: unknown, output: unknown, cacheRead: unknown, cacheWrite?: unknown): void {
    this.usage = {
      inputTokens: countOf(input),
      outputTokens: countOf(output),
      cacheReadTokens: countOf(cacheRead),
      cacheWriteTokens: countOf(cacheWrite),
      calls: this.usage.calls,
    };
  }

  /** Takes the reason that the service gives for the end; without one, the answer goes on. */
  end(reason: unknown): void {
    if (typeof reason !== "string" || reason === "") return;
    this.isComplete = true;
    if (this.finish === "refused") return;
    this.finish = FINISHES.find(([, names]) => names.test(reason))?.[0] ?? "other";
  }
}

/** A call without input is one without parameters. */
function inputOf({ input }: DraftCall): unknown {
  if (typeof input !== "string") return input;
  const parsed = input.trim() === "" ? {} : parseJson(input);
  return parsed === undefined ? input : parsed;
}

/** Fills the draft, or returns what went wrong. The names in the request fit every service. */
export type Ask = (
  request: ModelRequest,
  draft: AnswerDraft,
  signal: AbortSignal | undefined,
) => Promise<ModelError | undefined>;

/** A model that asks, and makes a response of the draft. */
export function modelWith(settings: Settings, ask: Ask, clock: () => number = Date.now): Model {
  const { provider, model, sampling, stream: _, ...described } = settings;
  return {
    id: `${provider}:${model}`,
    ...described,
    ...(Object.keys(sampling).length > 0 && { sampling }),
    async decide(request, { signal, onText, onCallText } = {}) {
      const start = clock();
      const { wired, restore } = wireNames(request);
      const draft = new AnswerDraft({
        ...defined({ onText }),
        onCallText: (fragment) => onCallText?.(restore(fragment)),
      });
      const isAborted = () => signal?.aborted === true;
      const problem = isAborted() ? CANCELED : await ask(wired, draft, signal);
      const { usage, text } = draft;
      const latencyMs = Math.max(0, clock() - start);
      if (problem !== undefined) return failed(isAborted() ? CANCELED : problem, usage, latencyMs);
      const calls = draft.calls.map((call, index): ModelCall => {
        // Made from the position in the conversation: unique, and the same when a run is replayed.
        const id = call.id?.slice(0, MAX_NAME) ?? `call_${request.messages.length}_${index}`;
        return restore({ id, name: call.name.slice(0, MAX_NAME), input: inputOf(call) });
      });
      const reasoning = draft.reasoning.map((data) => ({ provider, data }));
      const message = { text, calls, ...(reasoning.length > 0 && { reasoning }) };
      // Some services report `stop` for calls too, or nothing.
      const isCall = calls.length > 0 && draft.finish !== "length" && draft.finish !== "refused";
      const finish = isCall ? "calls" : (draft.finish ?? "other");
      return { ok: true, message, finish, usage, latencyMs };
    },
  };
}
