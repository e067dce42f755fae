import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

/** Bound to what it is for and to the root: what is valid here means nothing in another place. */
export interface SigningContext {
  readonly key: KeyObject;
  /** Real path. */
  readonly root: string;
}

/** A value as the text of a file, with a code that only this user's key makes. */
export function signedText(purpose: string, body: object, context: SigningContext): string {
  const mac = codeOf(purpose, JSON.stringify(body), context).toString("hex");
  return `${JSON.stringify({ mac, body }, null, 2)}\n`;
}

/** The value in such a text; undefined when this user did not write it for this root. */
export function verifiedBody(purpose: string, text: string, context: SigningContext): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { mac, body } = value as Readonly<Record<string, unknown>>;
  if (typeof mac !== "string" || typeof body !== "object" || body === null) return undefined;
  const given = Buffer.from(mac, "hex");
  // Over what was parsed, not over the text: no two readings of it can differ.
  const expected = codeOf(purpose, JSON.stringify(body), context);
  const isValid = given.length === expected.length && timingSafeEqual(given, expected);
  return isValid ? body : undefined;
}

function codeOf(purpose: string, json: string, { key, root }: SigningContext): Buffer {
  const hmac = createHmac("sha256", key);
  return hmac.update(`skillwright ${purpose}\0${root}\0`).update(json).digest();
}
