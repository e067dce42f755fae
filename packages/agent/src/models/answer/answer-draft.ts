import type { ModelCall, ModelResponse, ModelUsage } from "../model.ts";
import { parseJson } from "../http/json.ts";
import { NO_USAGE } from "../usage.ts";

type Finish = Extract<ModelResponse, { ok: true }>["finish"];

export interface DraftCall {
  id: string | undefined;
  name: string;
  /** Pieces of the input as text, or the input itself from services that parse it. */
  readonly pieces: string[];
  input: unknown;
}

/** A model that asks for more is out of its mind. */
const MAX_CALLS = 128;
const MAX_NAME = 256;

/** An answer while it comes in, whole or in pieces. */
export class AnswerDraft {
  readonly calls: DraftCall[] = [];
  usage: ModelUsage = NO_USAGE;
  finish: Finish | undefined;
  /** The service said that this is all. */
  isComplete = false;
  readonly #texts: string[] = [];
  readonly #onText: ((text: string) => void) | undefined;

  constructor(onText?: (text: string) => void) {
    this.#onText = onText;
  }

  get text(): string {
    return this.#texts.join("");
  }

  addText(text: string): void {
    if (text === "") return;
    this.#texts.push(text);
    this.#onText?.(text);
  }

  addCall(id: string | undefined, name: string): DraftCall {
    const call: DraftCall = { id, name, pieces: [], input: undefined };
    if (this.calls.length < MAX_CALLS) this.calls.push(call);
    return call;
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
