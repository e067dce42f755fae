import type { Failure } from "@skillwright/core";
import type { RestoredText, Secrets } from "../secrets/secrets.ts";

const KEPT: ReadonlySet<string> = new Set(["image", "request"]);

/**
 * A result as a model may see it: exact, but for the values of known secrets. Every text in it counts,
 * since hosts pass results on as JSON; the bytes of an image are none.
 */
export function forModel<Value>(value: Value, secrets: Secrets): Value {
  if (typeof value === "string") return secrets.hide(value) as Value & string;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => forModel(item, secrets)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      // A changed request would not be the signed one; no model is shown it.
      KEPT.has(name) ? (item as unknown) : forModel(item as unknown, secrets),
    ]),
  ) as Value;
}

export interface RestoredValues<Value> {
  readonly values: Value;
  /** The secrets that were put in, each once. */
  readonly names: readonly string[];
  /** Why the values must not be used. */
  readonly problem?: Failure<"secret-unread">;
}

/** What a model gave, as it is carried out: with the secrets that it read put back. */
export function restoreTexts(
  texts: readonly string[],
  { restore }: Secrets,
): RestoredValues<readonly string[]> {
  const restored = texts.map((text) => restore(text));
  return { values: restored.map(({ text }) => text), ...secretsIn(restored) };
}

/** A placeholder that stays would replace the value that it stands for, as in a file that is rewritten. */
function secretsIn(restored: readonly RestoredText[]) {
  const names = [...new Set(restored.flatMap((one) => one.names))];
  const [unread] = restored.flatMap((one) => one.unread);
  if (unread === undefined) return { names };
  const message = `the value of the secret ${unread} was not read in this run`;
  const hint = "Read the file that has it again, then repeat the call.";
  return { names, problem: { ok: false, code: "secret-unread", message, hint } } as const;
}

/** The same for some fields of an input. */
export function restoreFields(
  input: Readonly<Record<string, unknown>>,
  fields: readonly string[],
  { restore }: Secrets,
): RestoredValues<Readonly<Record<string, unknown>>> {
  const all: RestoredText[] = [];
  const entries = Object.entries(input).map(([field, value]) => {
    if (typeof value !== "string" || !fields.includes(field)) return [field, value];
    const restored = restore(value);
    all.push(restored);
    return [field, restored.text];
  });
  return { values: Object.fromEntries(entries) as Record<string, unknown>, ...secretsIn(all) };
}
