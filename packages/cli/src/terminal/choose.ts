import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import {
  isCancel,
  multiselect,
  S_STEP_CANCEL,
  select,
  settings,
  text,
  updateSettings,
} from "@clack/prompts";

// Ctrl-D ends the input, after which a prompt would wait for ever.
updateSettings({ aliases: { "\u0004": "cancel" } });
// A word that was meant for a shell must not choose.
for (const letter of ["h", "j", "k", "l"]) settings.aliases.delete(letter);

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

/**
 * Lets a person choose with the arrow keys; undefined when they walk away. What was typed before the
 * question was there does not answer it.
 */
export async function choose<Value extends string>(
  { message, choices, initial }: Question<Value>,
  { input, output, hasColors, signal }: Terminal,
): Promise<Value | undefined> {
  const options = choices.map(({ value, label, hint }) =>
    hint === undefined ? { value, label } : { value, label, hint },
  );
  await dropTypedAhead(input);
  const answer = await select<string>({
    message,
    options,
    initialValue: initial,
    input,
    output: corrected(output, labels(choices), hasColors),
    ...(signal && { signal }),
  });
  return isCancel(answer) ? undefined : (answer as Value);
}

/** Lets a person choose any number; undefined when they walk away. */
export async function chooseMany(
  { message, choices }: ManyQuestion,
  { input, output, hasColors, signal }: Terminal,
): Promise<readonly string[] | undefined> {
  await dropTypedAhead(input);
  const answer = await multiselect<string>({
    message,
    options: choices.map(({ value, label, hint }) =>
      hint === undefined ? { value, label } : { value, label, hint },
    ),
    required: true,
    maxItems: 12,
    input,
    output: corrected(output, labels(choices), hasColors),
    ...(signal && { signal }),
  });
  return isCancel(answer) ? undefined : answer;
}

/** What a person types, under the same conditions, without blanks at its ends. */
export async function askText(
  message: string,
  { input, output, hasColors, signal }: Terminal,
): Promise<string | undefined> {
  await dropTypedAhead(input);
  const answer = await text({
    message,
    input,
    output: corrected(output, [], hasColors),
    ...(signal && { signal }),
  });
  return isCancel(answer) ? undefined : answer.trim();
}

/** Keys that were pressed earlier arrive at once when they are asked for. */
async function dropTypedAhead(input: Readable & { setRawMode?(on: boolean): unknown }) {
  const drop = () => {};
  // Without it, a terminal keeps the beginning of a line for itself.
  input.setRawMode?.(true);
  input.on("data", drop);
  await setTimeout(DROP_MS);
  input.off("data", drop);
  input.pause();
  input.setRawMode?.(false);
}

const DROP_MS = 30;

function labels(choices: readonly Choice<string>[]): string[] {
  return choices.map(({ label }) => label);
}

/**
 * The prompts colour their text whatever the environment says, and show the choice that a person
 * walked away from like one that was taken.
 */
function corrected(output: Writable, known: readonly string[], hasColors: boolean): Writable {
  const correct = (text: string) => {
    const said = withNothingChosen(text, known);
    return hasColors ? said : said.replace(COLORS, "");
  };
  const write = (text: unknown, ...rest: unknown[]) =>
    (output.write as (...args: unknown[]) => boolean).call(
      output,
      typeof text === "string" ? correct(text) : text,
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

// oxlint-disable-next-line no-control-regex -- what colours text
const COLORS = /\u001B\[[\d;]*m/g;
// oxlint-disable-next-line no-control-regex -- from its beginning to its end
const STRUCK = /\u001B\[9m[^]*?\u001B\[29m/g;
// oxlint-disable-next-line no-control-regex -- the sign is alone before the question
const LEFT = new RegExp(`(?<![A-Za-z])${S_STEP_CANCEL}(?:\\u001B\\[[\\d;]*m)*  `, "u");

/** Of the picture after walking away; any other text stays as it is. */
function withNothingChosen(text: string, known: readonly string[]): string {
  const at = text.search(LEFT);
  if (at === -1) return text;
  const [before, picture] = [text.slice(0, at), text.slice(at)];
  // A long label has several lines, each struck out by itself.
  if (picture.search(STRUCK) !== -1) {
    let count = 0;
    return before + picture.replace(STRUCK, () => (count++ === 0 ? NOTHING_CHOSEN : ""));
  }
  // Newer versions of Node strike out nothing without colours; the choice follows the question.
  const label = known.find((one) => picture.lastIndexOf(one) > picture.indexOf("\n"));
  if (label === undefined) return text;
  const place = picture.lastIndexOf(label);
  return `${before}${picture.slice(0, place)}${NOTHING_CHOSEN}${picture.slice(place + label.length)}`;
}

const NOTHING_CHOSEN = "nothing chosen";
