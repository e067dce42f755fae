import type { Model } from "../model.ts";
import { jsonModel } from "../mock/mock-models.ts";

/** The embedded default: a program, not a language model. Deterministic, and needs no network. */
export function createOfflineModel(): Model {
  return jsonModel("offline:skillwright", async ({ view }) => {
    const { decide } = await import("./decide.ts");
    return { ok: true, answer: decide(view) };
  });
}
