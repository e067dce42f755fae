import type { Readable, Writable } from "node:stream";
import { isCancel, multiselect, select } from "@clack/prompts";

export interface Question<Value extends string> {
  readonly message: string;
  readonly choices: readonly Choice<Value>[];
  /** What return alone means. */
  readonly initial: Value;
}

export type ManyQuestion = Omit<Question<string>, "initial">;

interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

export interface Terminal {
  readonly input: Readable;
  readonly output: Writable;
  readonly hasColors: boolean;
  /** Takes the question away, as if the person walked away. */
  readonly signal?: AbortSignal | undefined;
}

/** Lets a person choose with the arrow keys; undefined when they walk away. */
export async function choose<Value extends string>(
  { message, choices, initial }: Question<Value>,
  { input, output, hasColors, signal }: Terminal,
): Promise<Value | undefined> {
  const options = choices.map(({ value, label, hint }) =>
    hint === undefined ? { value, label } : { value, label, hint },
  );
  const answer = await select<string>({
    message,
    options,
    initialValue: initial,
    input,
    output: hasColors ? output : withoutColors(output),
    ...(signal && { signal }),
  });
  return isCancel(answer) ? undefined : (answer as Value);
}

/** Lets a person choose any number; undefined when they walk away. */
export async function chooseMany(
  { message, choices }: ManyQuestion,
  { input, output, hasColors, signal }: Terminal,
): Promise<readonly string[] | undefined> {
  const answer = await multiselect<string>({
    message,
    options: choices.map(({ value, label, hint }) =>
      hint === undefined ? { value, label } : { value, label, hint },
    ),
    required: true,
    maxItems: 12,
    input,
    output: hasColors ? output : withoutColors(output),
    ...(signal && { signal }),
  });
  return isCancel(answer) ? undefined : answer;
}

/** The prompts colour their text whatever the environment says. */
function withoutColors(output: Writable): Writable {
  const write = (text: unknown, ...rest: unknown[]) =>
    (output.write as (...args: unknown[]) => boolean).call(
      output,
      // oxlint-disable-next-line no-control-regex
      typeof text === "string" ? text.replace(/\u001B\[[\d;]*m/g, "") : text,
      ...rest,
    );
  return new Proxy(output, {
    get(target, key) {
      if (key === "write") return write;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
