import type { Model } from "../model.ts";
import { jsonModel } from "../mock/json-model.ts";
import { decideOffline } from "./decide-offline.ts";

/** The embedded default: a program, not a language model. Deterministic, and needs no network. */
export function createOfflineModel(): Model {
  return jsonModel("offline:skillwright", ({ view }) => ({
    ok: true,
    answer: decideOffline(view),
  }));
}
