import { covers, isHan, nameAtEnd, stemOf, stemsIn, type Token, vocabularyOf } from "./request.ts";

/** An argument of a documented command. */
interface Part {
  readonly flag?: string;
  /** One of `SLOT_TYPES`, or `word`, `literal`, or `switch` for an option without a value. */
  readonly type: string;
  readonly name: string;
  readonly isRepeated: boolean;
  readonly isRequired: boolean;
  /** Wordings that ask for the option, from its line in the documentation; the values of a choice. */
  readonly phrases: readonly string[];
}

interface Command {
  readonly script: string;
  readonly usage: string;
  readonly parts: readonly Part[];
  /** The vocabulary of the heading, prose and comments around it. */
  readonly words: string;
}

const MAX_TEXT = 200_000;
const MAX_PROSE = 4;
const INTERPRETER = /^(?:python[\d.]*|node|bash|sh|ruby|perl|php|uv|run|npx|tsx|deno|bun|\$)$/;
const USAGE_TOKEN = /\[[^\]]*\]|"[^"]*"|'[^']*'|<[^>]*>(?:\.{3}|…)?|\S+/g;
const SHELL = /^(?:[|&;<>\\]+|\d?>+)$|\$\(|[;`]/;
const OPTION_LINE = /^\s*[-*+|]\s*`(--?[\w-]+)[^`]*`\s*[:：|–—-]?\s*(.*)$/u;
const BETWEEN_PHRASES = /\s*(?:[,;:.，；、：。|()（）]|\bor\b)\s*/u;
const SWITCH = { name: "", type: "switch", isRepeated: false, phrases: [] };
const SLOT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/\|/, "choice"],
  [/^(?:out|output|dest|target|save)\b/, "output"],
  [/\b(?:condition|where|filter|expression)\b/, "condition"],
  [/\b(?:folder|directory|dir)\b/, "folder"],
  [/\b(?:file|files|path|input)\b|\.[a-z]\w{0,9}$/, "file"],
  [/^(?:n|number|count|value|limit|digits|size|width|height|\d+)$/, "number"],
  [/\b(?:text|title|description|query|pattern|message)\b|^"/, "quoted"],
];

/** The documented calls of scripts that exist, in the order of the text. */
export function readCommands(text: string, scripts: readonly string[]): readonly Command[] {
  const lines = text.slice(0, MAX_TEXT).split("\n");
  const commands: Command[] = [];
  let prose: readonly string[] = [];
  let isFenced = false;
  let count = 0;
  for (const line of lines) {
    const note = /^\s*(?:#+|\/\/)\s*(.*)/.exec(line)?.[1];
    const isCode = isFenced && note === undefined;
    const isProse = !isCode && line.trim() !== "" && !OPTION_LINE.test(line);
    if (/^\s*(?:`{3}|~{3})/.test(line)) isFenced = !isFenced;
    else if (isProse) {
      const isHead = note !== undefined && !isFenced;
      const isNew = commands.length > count || isHead || /^\s*(?:\d+[.)]|[-*+])\s/.test(line);
      prose = [...(isNew ? [] : prose.slice(1 - MAX_PROSE)), note ?? line];
      count = commands.length;
    }
    const codes = isCode ? [line] : line.split("`").filter((_, i) => i % 2 === 1);
    for (const code of codes) commands.push(...commandIn(code, scripts, prose));
  }
  return commands.map((command) => ({ ...command, parts: withPhrases(command.parts, lines) }));
}

/** List items and table rows that begin with an option say when it is wanted. */
function withPhrases(parts: readonly Part[], lines: readonly string[]): readonly Part[] {
  const options = lines.map((line) => OPTION_LINE.exec(line) ?? []);
  return parts.map((part) => {
    if (part.flag === undefined || part.type === "choice") return part;
    const meanings = options
      .filter(([, flag]) => flag === part.flag)
      .map(([, , text = ""]) => text);
    const wordings = meanings.flatMap((text) => text.split(BETWEEN_PHRASES));
    return { ...part, phrases: [part.flag.replaceAll("-", " "), ...wordings].filter(Boolean) };
  });
}

function commandIn(code: string, scripts: readonly string[], prose: readonly string[]): Command[] {
  const [usage = "", ...comments] = code.trim().split(/\s#\s/);
  const tokens = usage.match(USAGE_TOKEN) ?? [];
  const at = tokens.findIndex((token) => !INTERPRETER.test(token));
  const path = `/${tokens[at]?.replace(/^\.\//, "")}`;
  const script = scripts.find((one) => path.endsWith(`/${one}`));
  if (script === undefined || tokens.some((token) => SHELL.test(token))) return [];
  const parts = readParts(tokens.slice(at + 1), true);
  const places = parts.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const words = [script.replace(/^.*\/|\.\w+$/g, ""), ...places, ...prose, ...comments];
  return [{ script, usage, parts, words: vocabularyOf(words.join("\n")) }];
}

function readParts(tokens: readonly string[], isRequired: boolean): readonly Part[] {
  const [token = "", next = "", ...more] = tokens;
  if (tokens.length === 0) return [];
  const rest = () => readParts(tokens.slice(1), isRequired);
  if (/^\[.*\]$/.test(token)) {
    return [...readParts(token.slice(1, -1).match(USAGE_TOKEN) ?? [], false), ...rest()];
  }
  if (!/^--?[a-z]/i.test(token)) return [{ ...slotOf(token, ""), isRequired }, ...rest()];
  const isSwitch = !/^["']?<|^[A-Z_]+$/.test(next);
  const slot = isSwitch ? SWITCH : slotOf(next, token);
  const others = isSwitch ? rest() : readParts(more, isRequired);
  return [{ ...slot, flag: token, isRequired }, ...others];
}

/** A placeholder, or an example in its place: `report.pdf`, `"some text"`, `3`. */
function slotOf(token: string, flag: string): Omit<Part, "isRequired"> {
  const bare = token.replace(/(?:\.{3}|…)$/, "");
  const placeholder = /^["']?<(.*)>["']?$/.exec(bare)?.[1] ?? /^\$?([A-Z][A-Z_]+)$/.exec(bare)?.[1];
  const name = (placeholder ?? bare).replaceAll(/[-_]/g, " ").toLowerCase();
  const typeOf = (text: string) => SLOT_TYPES.find(([pattern]) => pattern.test(text))?.[1];
  const isOutput = typeOf(flag.replace(/^-+/, "")) === "output";
  const known = isOutput ? "output" : typeOf(name);
  const type = known ?? (placeholder === undefined ? "literal" : "word");
  const choices = (placeholder ?? "").split("|").map((choice) => choice.trim());
  return { name, type, isRepeated: bare !== token, phrases: type === "choice" ? choices : [] };
}

/** A command with its arguments, and what keeps it from running. */
interface Plan {
  readonly command: Command;
  readonly args: readonly string[];
  /** Places that have to be filled and could not be. */
  readonly missing: readonly string[];
  /** What of the request neither the arguments nor the documentation account for. */
  readonly unused: readonly string[];
  readonly isSafe: boolean;
  readonly score: number;
}

const PASSED_OVER = /^(?:of|the|a|an|in|column|的|列)$/i;
const CONNECTED = /^(?:and|or|和|与)$/i;
const SAVING = /^(?:sav|writ|stor|put|export|print|draw|creat|mak)|保存|写|存|输出|生成|画/i;
const TO = /^(?:to|into|as|到|为|成)$/i;
/** Stop words that tell one wish from another: they decide between commands that fit equally well. */
const ASKING = /^(?:what|which|how|much|many|where|show|make|多少)$/i;

/** One plan for each command, the best first. Only a safe one may run. */
export function planCommands(
  commands: readonly Command[],
  tokens: readonly Token[],
  about: string,
): readonly Plan[] {
  const flaws = ({ isSafe, missing, unused }: Plan) => +!isSafe + missing.length + unused.length;
  return commands
    .map((command) => new Filling(command, tokens).plan(commands, about))
    .toSorted((a, b) => flaws(a) - flaws(b) || b.score - a.score);
}

class Filling {
  readonly #command: Command;
  readonly #tokens: readonly Token[];
  readonly #filled = new Map<Part, readonly string[]>();
  readonly #used = new Set<Token>();

  constructor(command: Command, tokens: readonly Token[]) {
    this.#command = command;
    this.#tokens = tokens;
  }

  plan(commands: readonly Command[], about: string): Plan {
    const { parts, words } = this.#command;
    // What an option names comes first, then the places in their order, then where output goes.
    this.#fill(({ flag, type }) => flag !== undefined && !/file|folder|output/.test(type));
    this.#fill(({ type }) => type !== "output");
    this.#fill(() => true);
    this.#fillWords();
    const siblings = commands.filter((one) => one.words !== words);
    // What a skill is about explains its only command, as long as no word could be meant for an option.
    const isPlain = siblings.length === 0 && parts.every(({ isRequired }) => isRequired);
    const isOwn = ({ text }: Token) => covers(isPlain ? words + about : words, text);
    const files = this.#tokens.filter(({ kind }) => kind === "file");
    // `JSON` or `data` beside `data.json` says nothing that the name does not.
    const isFormat = ({ text, start }: Token) =>
      files.some((file) =>
        file.text.toLowerCase().split(/[./]/).slice(-2).includes(text.toLowerCase()),
      ) && !TO.test(this.#tokens.findLast(({ end }) => end <= start)?.text ?? "");
    const isKnown = (token: Token) =>
      token.kind === "word" && !this.#isTrigger(token) && (isOwn(token) || isFormat(token));
    const content = this.#tokens.filter(({ isStop }) => !isStop);
    const hasWords = content.some(({ kind }) => kind === "word");
    const unused = content.filter((token) => !this.#used.has(token) && !isKnown(token));
    const missing = parts.filter((part) => part.isRequired && !this.#filled.has(part));
    const isMine = (one: Token) => this.#used.has(one) || (!one.isStop && isOwn(one));
    const own = this.#tokens.filter((one) => one.kind === "word" && isMine(one));
    const asking = this.#tokens.filter(({ text }) => ASKING.test(text));
    const hints = [...asking, ...files, ...own]
      .flatMap(({ text }) => (isHan(text) ? text : stemsIn(text)))
      .filter((one) => covers(words, one));
    return {
      command: this.#command,
      args: parts.flatMap((part) => {
        const values = this.#filled.get(part);
        return values === undefined ? [] : [...(part.flag ? [part.flag] : []), ...values];
      }),
      missing: missing.map(({ name }) => name),
      unused: unused.map(({ text }) => text),
      isSafe:
        missing.length + unused.length === 0 &&
        (own.length > 0 || !hasWords || siblings.length === 0),
      score: own.length + hints.length / 100 - (hasWords ? 0 : parts.length / 10_000),
    };
  }

  #fill(isWanted: (part: Part) => boolean): void {
    for (const part of this.#command.parts) {
      if (this.#filled.has(part) || !isWanted(part)) continue;
      const [phrase, trigger] = this.#trigger(part);
      const values = this.#valuesFor(part, phrase, trigger);
      if (values === undefined) continue;
      for (const token of trigger) this.#used.add(token);
      this.#filled.set(part, values);
    }
  }

  /** Undefined when the part is not asked for, or cannot be filled. */
  #valuesFor(part: Part, phrase: string, trigger: readonly Token[]): readonly string[] | undefined {
    const { flag, type, name, isRequired } = part;
    const isAsked = trigger.length > 0;
    const isOption = flag !== undefined;
    if (type === "switch") return isAsked || isRequired ? [] : undefined;
    if (type === "choice") return isAsked ? [phrase] : undefined;
    if (type === "literal") return this.#take(part, ({ text }) => text.toLowerCase() === name);
    const before = (at: number) => this.#tokens[at - 1]?.text ?? "";
    const isSaved = this.#tokens.some(({ text }) => SAVING.test(text));
    const isTarget = (token: Token, at: number) =>
      token.kind === "file" && TO.test(before(at)) && (isSaved || !/^(?:to|到)$/i.test(before(at)));
    if (type === "output") return this.#take(part, isTarget);
    const isPlace = isRequired || !isOption;
    const hasOutput = this.#command.parts.some((one) => one.type === "output");
    // A path with an extension is not a folder, one that ends in a slash is not a file.
    const other = type === "folder" ? /\.[A-Za-z]\w*$/ : /\/$/;
    const isInput = (one: Token, at: number) =>
      one.kind === "file" && !other.test(one.text) && !(hasOutput && isTarget(one, at));
    if (/file|folder/.test(type)) return isPlace ? this.#take(part, isInput) : undefined;
    if (isOption && type !== "condition") return isAsked ? this.#after(trigger, type) : undefined;
    return type === "word" ? undefined : this.#take(part, ({ kind }) => kind === type);
  }

  #take(part: Part, fits: (token: Token, at: number) => boolean): readonly string[] | undefined {
    const free = this.#tokens.filter((token, at) => !this.#used.has(token) && fits(token, at));
    const taken = part.isRepeated ? free : free.slice(0, 1);
    return taken.length === 0 ? undefined : taken.map((token) => this.#use([token]));
  }

  /** `sum of amount`, `by region`, `top 5`, `title "Sales"`; in Chinese also `金额的总和` and `金额总和`. */
  #after(trigger: readonly Token[], type: string): readonly string[] | undefined {
    const first = this.#tokens.findIndex((token) => trigger.includes(token));
    let at = this.#tokens.findLastIndex((token) => trigger.includes(token)) + 1;
    const isPassed = ({ kind, text }: Token) =>
      PASSED_OVER.test(text) ||
      (kind === "file" && type === "word") ||
      (CONNECTED.test(text) && this.#isTrigger(this.#tokens[at + 1])) ||
      (CONNECTED.test(this.#tokens[at - 1]?.text ?? "") && this.#isTrigger(this.#tokens[at]));
    for (let token = this.#tokens[at]; token && isPassed(token); token = this.#tokens[at]) at++;
    const { kind } = this.#tokens[at] ?? {};
    const isFitting = kind === type || (kind === "quoted" && type === "word");
    const value = isFitting ? this.#nameAt(at) : [];
    if (value.length > 0) return [this.#use(value)];
    if (type !== "word") return undefined;
    const end = this.#tokens[first - 1]?.text === "的" ? first - 1 : first;
    const isFree = (one: Token) => !this.#used.has(one) && !covers(this.#command.words, one.text);
    const free = nameAtEnd(this.#tokens.slice(0, end)).filter(isFree);
    return free.length > 0 ? [this.#use(free)] : undefined;
  }

  /** One name: a single word that no other one continues, or Chinese words without a gap. */
  #nameAt(at: number): readonly Token[] {
    const [first, next] = this.#tokens.slice(at);
    if (first === undefined || first.isStop || this.#isTrigger(first)) return [];
    const isEnd = next?.kind !== "word" || next.isStop || PASSED_OVER.test(next.text);
    const isOther = isEnd || isHan(first.text) !== isHan(next.text) || this.#isTrigger(next);
    if (isOther || first.kind !== "word") return [first];
    const isGlued = next.start === first.end && !covers(this.#command.words, next.text);
    if (isHan(first.text)) return isGlued ? [first, ...this.#nameAt(at + 1)] : [first];
    return [];
  }

  /** Places for plain words. The one behind a number takes the word that follows the number. */
  #fillWords(): void {
    const { parts, words } = this.#command;
    const places = parts.filter(({ flag, type }) => flag === undefined && type === "word");
    const runs: Token[][] = [];
    for (const token of this.#tokens) {
      const isFree = token.kind === "word" && !token.isStop && !this.#used.has(token);
      if (!isFree || covers(words, token.text)) continue;
      if (isHan(token.text) && runs.at(-1)?.at(-1)?.end === token.start) runs.at(-1)?.push(token);
      else runs.push([token]);
    }
    const isUnit = ([token]: readonly Token[]) =>
      this.#tokens.some(({ kind }, at) => kind === "number" && this.#tokens[at + 1] === token);
    const hasNumber = parts.some(({ type }, i) => type === "number" && parts[i + 1] === places[0]);
    if (runs.length !== places.length || (hasNumber && runs.filter(isUnit).length !== 1)) return;
    const ordered = hasNumber ? runs.toSorted((a, b) => +isUnit(b) - +isUnit(a)) : runs;
    for (const [i, part] of places.entries()) this.#filled.set(part, [this.#use(ordered[i] ?? [])]);
  }

  /** The longest wording of the option in the request. */
  #trigger({ phrases }: Part): readonly [phrase: string, tokens: readonly Token[]] {
    const found = phrases.map((phrase) => [phrase, this.#phrase(phrase)] as const);
    return found.toSorted(([, a], [, b]) => b.length - a.length)[0] ?? ["", []];
  }

  /** The words of a phrase, in their order and not taken yet. */
  #phrase(phrase: string): readonly Token[] {
    const end = isHan(phrase) ? "" : " ";
    let rest = isHan(phrase) ? phrase : `${stemsIn(phrase).join(end)}${end}`;
    const found: Token[] = [];
    for (const token of this.#tokens) {
      const word = `${isHan(token.text) ? token.text : stemOf(token.text)}${end}`;
      if (token.kind !== "word" || this.#used.has(token) || !rest.startsWith(word)) continue;
      found.push(token);
      rest = rest.slice(word.length);
      if (rest === "") return found;
    }
    return [];
  }

  /** Whether the word asks for an option that is not filled. */
  #isTrigger(token: Token | undefined): boolean {
    const options = this.#command.parts.filter((part) => part.flag && !this.#filled.has(part));
    const phrases = options.flatMap((part) => part.phrases);
    return token !== undefined && phrases.some((phrase) => this.#phrase(phrase).includes(token));
  }

  #use(tokens: readonly Token[]): string {
    for (const token of tokens) this.#used.add(token);
    return tokens.map(({ text }) => text).join("");
  }
}
