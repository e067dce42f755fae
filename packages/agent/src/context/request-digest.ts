import { contentDigest } from "@skillwright/runtime";
import type { ModelRequest } from "../models/model.ts";

/** By what they are of: messages and lists of actions stay the same objects from turn to turn. */
const DIGESTS = new WeakMap<object, string>();

/** Of all that the model is sent. Only what is new in a turn has to be read for it. */
export function requestDigest({ system, messages, actions }: ModelRequest): string {
  return contentDigest([systemDigest(system), digestOf(actions), ...messages.map(digestOf)].join());
}

let lastSystem = { text: "", digest: contentDigest("") };

/** The same in every turn of a run. */
function systemDigest(text: string): string {
  if (text !== lastSystem.text) lastSystem = { text, digest: contentDigest(text) };
  return lastSystem.digest;
}

function digestOf(value: object): string {
  const known = DIGESTS.get(value);
  if (known !== undefined) return known;
  const digest = contentDigest(JSON.stringify(value));
  DIGESTS.set(value, digest);
  return digest;
}
