import type { Command, Part } from "./commands.ts";
import { covers, isHan, nameAtEnd, stemOf, stemsIn, type Token } from "./request.ts";

/** A command with its arguments, and what keeps it from running. */
export interface Plan {
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
const TO = /^(?:to|into|as|到|为|成)$/i;
/** Stop words that tell one wish from another: they decide between commands that fit equally well. */
const ASKING = /^(?:what|which|how|much|many|where|show|make)$/i;

/** One plan for each command, the best first. Only a safe one may run. */
export function planCommands(
  commands: readonly Command[],
  tokens: readonly Token[],
  shared: string,
): readonly Plan[] {
  const flaws = ({ isSafe, missing, unused }: Plan) => +!isSafe + missing.length + unused.length;
  return commands
    .map((command) => new Filling(command, tokens, shared).plan(commands))
    .toSorted((a, b) => flaws(a) - flaws(b) || b.score - a.score);
}

class Filling {
  readonly #command: Command;
  readonly #tokens: readonly Token[];
  /** The documentation of the command and the description of the skill. */
  readonly #known: string;
  readonly #filled = new Map<Part, readonly string[]>();
  readonly #used = new Set<Token>();

  constructor(command: Command, tokens: readonly Token[], shared: string) {
    this.#command = command;
    this.#tokens = tokens;
    this.#known = command.words + shared;
  }

  plan(commands: readonly Command[]): Plan {
    const { parts, words } = this.#command;
    // What an option names comes first, then the places in their order, then where output goes.
    this.#fill(({ flag, type }) => flag !== undefined && !/file|folder|output/.test(type));
    this.#fill(({ type }) => type !== "output");
    this.#fill(() => true);
    this.#fillWords();
    const others = commands.map((one) => (one.words === words ? "" : one.words)).join(" ");
    const isOnly = others.trim() === "";
    const isOwn = ({ text }: Token) => covers(words, text);
    const isKnown = (token: Token) =>
      isOwn(token) || (covers(this.#known, token.text) && !covers(others, token.text));
    const isAccounted = (token: Token) =>
      this.#used.has(token) || (token.kind === "word" && !this.#isTrigger(token) && isKnown(token));
    const content = this.#tokens.filter(({ isStop }) => !isStop);
    const hasWords = content.some(({ kind }) => kind === "word");
    const unused = content.filter((token) => !isAccounted(token));
    const missing = parts.filter((part) => part.isRequired && !this.#filled.has(part));
    const own = this.#tokens.filter(
      (one) => one.kind === "word" && (this.#used.has(one) || (!one.isStop && isOwn(one))),
    );
    const hinting = this.#tokens.filter(({ kind, text }) => kind === "file" || ASKING.test(text));
    const stems = hinting.flatMap(({ text }) => stemsIn(text));
    const hints = stems.filter((stem) => covers(words, stem));
    return {
      command: this.#command,
      args: parts.flatMap((part) => {
        const values = this.#filled.get(part);
        return values === undefined ? [] : [...(part.flag ? [part.flag] : []), ...values];
      }),
      missing: missing.map(({ name }) => name),
      unused: unused.map(({ text }) => text),
      isSafe: missing.length + unused.length === 0 && (own.length > 0 || !hasWords || isOnly),
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
    if (type === "output")
      return this.#take(
        part,
        ({ kind }, at) => kind === "file" && TO.test(this.#tokens[at - 1]?.text ?? ""),
      );
    const isPlace = isRequired || !isOption;
    if (/file|folder/.test(type)) return isPlace ? this.#take(part, isPath(type)) : undefined;
    if (isOption && type !== "condition") return isAsked ? this.#after(trigger, type) : undefined;
    return type === "word" ? undefined : this.#take(part, ({ kind }) => kind === type);
  }

  #take(part: Part, fits: (token: Token, at: number) => boolean): readonly string[] | undefined {
    const free = this.#tokens.filter((token, at) => !this.#used.has(token) && fits(token, at));
    const taken = part.isRepeated ? free : free.slice(0, 1);
    return taken.length === 0 ? undefined : taken.map((token) => this.#use([token]));
  }

  /** `sum of amount`, `by region`, `top 5`, `title "Sales"`; in Chinese also `金额的总和`. */
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
    if (type !== "word" || this.#tokens[first - 1]?.text !== "的") return undefined;
    const before = nameAtEnd(this.#tokens.slice(0, first - 1));
    const free = before.filter(
      (token) => !this.#used.has(token) && !covers(this.#known, token.text),
    );
    return free.length > 0 ? [this.#use(free)] : undefined;
  }

  /** One name: a single word that no other one continues, or Chinese words without a gap. */
  #nameAt(at: number): readonly Token[] {
    const [first, next] = this.#tokens.slice(at);
    if (first === undefined || first.isStop || this.#isTrigger(first)) return [];
    const isEnd = next?.kind !== "word" || next.isStop || PASSED_OVER.test(next.text);
    const isOther = isEnd || isHan(first.text) !== isHan(next.text) || this.#isTrigger(next);
    if (isOther || first.kind !== "word") return [first];
    const isGlued = next.start === first.end && !covers(this.#known, next.text);
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

/** Folders are told from files by having no ending. */
function isPath(type: string): (token: Token) => boolean {
  const other = type === "folder" ? /\.[A-Za-z]\w*$/ : /\/$/;
  return ({ kind, text }) => kind === "file" && !other.test(text);
}
