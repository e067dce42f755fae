import type { CallFragment, ModelProtocol } from "../models/model.ts";

/**
 * Shows an answer while it streams: plain text as it is, the argument of `final_answer` decoded from
 * its partial JSON. Other calls and JSON decisions show nothing.
 */
export class AnswerStream {
  readonly #protocol: ModelProtocol;
  readonly #show: (text: string) => void;
  /** JSON so far: of the text in the JSON protocol, or of each `final_answer` call. */
  readonly #partial = new Map<number, { json: string; shown: number }>();

  constructor(protocol: ModelProtocol, show: (text: string) => void) {
    this.#protocol = protocol;
    this.#show = show;
  }

  addText(text: string): void {
    if (this.#protocol === "tools") this.#show(text);
    else this.#add(-1, text, IN_TEXT);
  }

  addCall({ index, name, text }: CallFragment): void {
    if (name === "final_answer") this.#add(index, text, IN_CALL);
  }

  #add(index: number, text: string, begin: RegExp): void {
    const partial = this.#partial.get(index) ?? { json: "", shown: 0 };
    partial.json += text;
    this.#partial.set(index, partial);
    const found = begin.exec(partial.json);
    if (found === null) return;
    const answer = decoded(partial.json.slice(found.index + found[0].length));
    if (answer.length <= partial.shown) return;
    this.#show(answer.slice(partial.shown));
    partial.shown = answer.length;
  }
}

const IN_CALL = /^\s*\{\s*"(?:answer|text)"\s*:\s*"/;
const IN_TEXT = /"action"\s*:\s*"final_answer"\s*,\s*"(?:answer|text)"\s*:\s*"/;
/** Whole characters and whole escapes, up to the closing quote or the end of what has come. */
const STRING = /^(?:[^"\\\uD800-\uDBFF]|[\uD800-\uDBFF][\uDC00-\uDFFF]|\\u[\dA-Fa-f]{4}|\\[^u])*/;

function decoded(json: string): string {
  const [text = ""] = STRING.exec(json) ?? [];
  try {
    return JSON.parse(`"${text.replaceAll("\n", String.raw`\n`)}"`) as string;
  } catch {
    return "";
  }
}
