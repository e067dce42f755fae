import type { Model } from "../model.ts";
import { jsonModel } from "./json-model.ts";

/** An action as plain data, or text as a model might write it, bad output included. */
export type SequenceEntry = string | Readonly<Record<string, unknown>>;

/** Gives the decisions one after the other; after the last it fails with `no-more-answers`. */
export function createSequenceModel(actions: readonly SequenceEntry[]): Model {
  let next = 0;
  return jsonModel("mock:sequence", () => {
    const answer = actions[next];
    if (answer !== undefined) {
      next++;
      return { ok: true, answer };
    }
    const message = `the sequence has ${actions.length} answers, and all were given`;
    const hint = "End the sequence with a final_answer.";
    return { ok: false, error: { code: "no-more-answers", message, retryable: false, hint } };
  });
}
