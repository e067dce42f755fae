import type { Failure } from "@skillwright/core";
import { promptText, type ScriptResult, type ToolFailure } from "@skillwright/core/internal";
import type { Secrets } from "../secrets/secrets.ts";

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

export interface Restored<Value> {
  readonly value: Value;
  /** The secrets that were put in, each once. */
  readonly names: readonly string[];
  /** Why the value must not be used. */
  readonly problem?: Failure<"secret-unread">;
}

/** What a model gave, as it is carried out: `work` puts the secrets that it read back into texts. */
export function restoreSecrets<Value>(
  { restore }: Secrets,
  work: (restored: (text: string) => string) => Value,
): Restored<Value> {
  const names = new Set<string>();
  const unread: string[] = [];
  const value = work((given) => {
    const restored = restore(given);
    restored.names.forEach((name) => names.add(name));
    unread.push(...restored.unread);
    return restored.text;
  });
  const [first] = unread;
  if (first === undefined) return { value, names: [...names] };
  // A placeholder that stays would replace the value that it stands for, as in a file that is rewritten.
  const message = `the value of the secret ${first} was not read in this run`;
  const hint = "Read the file that has it again, then repeat the call.";
  const problem = { ok: false, code: "secret-unread", message, hint } as const;
  return { value, names: [...names], problem };
}

export function failed(failure: ToolFailure): ScriptResult {
  return { ok: false, text: promptText(failureText(failure)), failure };
}

/** The hint too, unless the message has it. */
export function failureText({ message, hint = "" }: Failure): string {
  return message.includes(hint) ? message : `${message}\n${hint}`;
}
