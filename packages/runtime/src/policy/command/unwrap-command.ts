import { parseCommand } from "./parse-command.ts";
import type { SimpleCommand, Word } from "./simple-command.ts";
import { programName, SHELLS, type Wrapper, WRAPPERS } from "./wrappers.ts";

/** What a command starts besides itself. */
interface Unwrapped {
  readonly kind: Wrapper["kind"] | "plain";
  readonly inner: readonly SimpleCommand[];
  /** Why not all that it starts is known. */
  readonly unclear: readonly string[];
}

const PLAIN: Unwrapped = { kind: "plain", inner: [], unclear: [] };
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Takes one wrapper off: `timeout 5 nice ls` starts `nice ls`. */
export function unwrapCommand(command: SimpleCommand, depth = 0): Unwrapped {
  const name = programName(command.words[0]?.value ?? "");
  if (SHELLS.has(name)) return unwrapShell(command, depth);
  if (name === "eval") return parseWords(command.words.slice(1), depth);
  const wrapper = WRAPPERS.get(name);
  if (wrapper === undefined) return PLAIN;
  if (wrapper.kind === "runner") return { kind: "runner", inner: [], unclear: [] };
  return unwrapProgram(command, name, wrapper, depth);
}

function unwrapProgram(
  command: SimpleCommand,
  name: string,
  wrapper: Wrapper,
  depth: number,
): Unwrapped {
  const { words } = command;
  const start = commandStart(words, wrapper);
  const options = words.slice(1, start);
  const isExecutor = wrapper.kind === "executor" || name === "time";
  const kind = isExecutor && options.length > 0 ? "executor" : wrapper.kind;
  if (options.some((word) => word.dynamic || isAmbiguous(word.value, wrapper))) {
    return { kind, inner: [], unclear: [`what \`${name}\` starts`] };
  }
  const split = options.find(({ value }) => isTextOption(name, value));
  if (split !== undefined && !/^(?:-[a-zA-Z]*[Sc]|--[a-z-]+)$/.test(split.value)) {
    return unknownText(`what \`${name}\` starts`);
  }
  if (split !== undefined || name === "watch") {
    return { ...parseWords(words.slice(1).filter(isNoOption), depth), kind: "executor" };
  }
  if (start >= words.length) return { kind, inner: [], unclear: [] };
  const inner: SimpleCommand = {
    ...command,
    // `env PATH=. git` is no other than `PATH=. git`.
    assignments: options.filter(isAssignment).map((word) => ({
      name: word.value.slice(0, word.value.indexOf("=")),
      word,
    })),
    words: words.slice(start),
    redirections: [],
  };
  // What xargs adds is not known before.
  const added: Word = { value: "{}", dynamic: true, glob: false };
  if (name !== "xargs") return { kind, inner: [inner], unclear: [] };
  return {
    kind: options.length === 0 ? "transparent" : "executor",
    inner: [{ ...inner, words: [...inner.words, added] }],
    unclear: [],
  };
}

/** `env -S`, `flock -c` and `watch` hand a text to a shell or read it as one does. */
function isTextOption(name: string, value: string): boolean {
  if (name === "env") return /^(?:-[a-zA-Z]*S|--split-string)/.test(value);
  return name === "flock" && /^(?:-c|--command)/.test(value);
}

function isAssignment({ value }: Word): boolean {
  return ASSIGNMENT.test(value);
}

function isNoOption({ value }: Word): boolean {
  return !value.startsWith("-");
}

function commandStart(words: readonly Word[], { values, positionals }: Wrapper): number {
  let i = 1;
  for (; i < words.length; i++) {
    const value = words[i]?.value ?? "";
    if (ASSIGNMENT.test(value)) continue;
    if (!value.startsWith("-")) break;
    if (value === "--") {
      i++;
      break;
    }
    if (takesNext(value, values)) i++;
  }
  i += positionals;
  while (i < words.length && ASSIGNMENT.test(words[i]?.value ?? "")) i++;
  return i;
}

/** Long options may be shortened; a short one may have its value in the same word. */
function takesNext(option: string, values: readonly string[]): boolean {
  if (option.startsWith("--")) return values.some((name) => name.startsWith(option));
  return option.length === 2 && values.includes(option.charAt(1));
}

/** Whether an option takes the next word is not sure: the command may start there or after it. */
function isAmbiguous(option: string, { kind, values }: Wrapper): boolean {
  if (/^--[^=]+$/.test(option)) return kind === "executor" && !takesNext(option, values);
  if (!/^-[^-]/.test(option) || values.includes(option.charAt(1))) return false;
  return values.some((letter) => letter.length === 1 && option.includes(letter, 2));
}

function unwrapShell(command: SimpleCommand, depth: number): Unwrapped {
  const { words, redirections, piped } = command;
  for (let i = 1; i < words.length; i++) {
    const value = words[i]?.value ?? "";
    if (/^[-+][A-Za-z]*c[A-Za-z]*$/.test(value) || value === "--command") {
      const rest = words.slice(i + 1).find(isNoOption);
      return parseWords(rest === undefined ? [] : [rest], depth);
    }
    if (value === "--rcfile" || value === "--init-file" || value === "-o" || value === "-O") i++;
    else if (!/^[-+]/.test(value)) {
      return words[i]?.dynamic === true ? unknownText("a script that is not known") : PLAIN;
    }
    if (value === "-s" || value === "-") break;
  }
  const document = redirections.findLast(({ operator }) => operator.startsWith("<<"));
  if (document !== undefined) return parseWords([document.target], depth);
  const isFed = piped || redirections.some(({ operator }) => operator.startsWith("<"));
  return isFed ? unknownText("commands that are fed to a shell") : PLAIN;
}

function parseWords(words: readonly Word[], depth: number): Unwrapped {
  if (words.some(({ dynamic }) => dynamic)) return unknownText("a command that is put together");
  const text = words.map(({ value }) => value).join(" ");
  const { commands, unclear } = parseCommand(text, depth + 1);
  return { kind: "executor", inner: commands, unclear };
}

function unknownText(reason: string): Unwrapped {
  return { kind: "executor", inner: [], unclear: [reason] };
}
