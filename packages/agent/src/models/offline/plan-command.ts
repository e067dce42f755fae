import type { Command, Part, Slot } from "./commands.ts";
import { covers, isEssential, isHan, stemOf, type Token, type Vocabulary } from "./request.ts";

/** A command with its arguments, and what of the request did not fit into it. */
export interface Plan {
  readonly command: Command;
  readonly args: readonly string[];
  /** Values by the name of their place. */
  readonly values: ReadonlyMap<string, string>;
  /** Places that have to be filled and could not be. */
  readonly missing: readonly string[];
  /** Files, numbers, quotes and conditions without a place. */
  readonly unplaced: readonly string[];
  /** Words that neither the arguments nor the documentation account for. */
  readonly unused: readonly string[];
  readonly isSafe: boolean;
  readonly score: number;
}

interface Filled {
  readonly part: Part;
  readonly values: readonly string[];
}

const PASSED_OVER = /^(?:of|the|a|an|in|column|columns|field|value|values|的|列|字段)$/i;
const CONNECTED = /^(?:and|or|和|与|及)$/i;
const TO = /^(?:to|into|as|到|为|成|至)$/i;
/** How much of the wording in common beside the content words decides between equals. */
const STOP_WEIGHT = 0.01;

/** One plan for each command, the best first. Only a safe one may run. */
export function planCommands(
  commands: readonly Command[],
  tokens: readonly Token[],
  shared: Vocabulary,
): readonly Plan[] {
  const plans = commands.map((command) => {
    const others = commands.filter(({ words }) => words !== command.words);
    return new Filling(command, tokens, shared).plan(others);
  });
  const flaws = ({ missing, unplaced, unused, isSafe }: Plan) =>
    isSafe ? 0 : missing.length + unplaced.length + unused.length + 1;
  return plans.toSorted((a, b) => flaws(a) - flaws(b) || b.score - a.score);
}

class Filling {
  readonly #command: Command;
  readonly #tokens: readonly Token[];
  readonly #shared: Vocabulary;
  readonly #used = new Set<Token>();
  readonly #named = new Set<Token>();

  constructor(command: Command, tokens: readonly Token[], shared: Vocabulary) {
    this.#command = command;
    this.#tokens = tokens;
    this.#shared = shared;
  }

  plan(others: readonly Command[]): Plan {
    const { parts, words } = this.#command;
    const filled = new Map<Part, Filled>();
    const fill = (isWanted: (part: Part) => boolean) => {
      for (const part of parts.filter(isWanted)) {
        const values = filled.has(part) ? undefined : this.#valuesFor(part);
        if (values !== undefined) filled.set(part, { part, values });
      }
    };
    // Options name what they want; the rest goes to the places in their order, outputs last.
    fill(({ flag, slot }) => flag !== undefined && !/file|output/.test(slot?.type ?? ""));
    fill(({ slot }) => slot?.type === "file" && this.#namedFile(slot) !== undefined);
    fill(({ flag, slot }) => flag === undefined && slot?.type !== "word");
    fill(({ slot }) => slot?.type === "file" || slot?.type === "output");
    for (const [part, value] of this.#positionalWords())
      filled.set(part, { part, values: [value] });
    const missing = parts
      .filter((part) => part.isRequired && !filled.has(part))
      .map(({ slot, literal, flag }) => slot?.name ?? literal ?? flag ?? "");
    const isKnown = ({ text }: Token) =>
      covers(words, text) ||
      (covers(this.#shared, text) && !others.some((other) => covers(other.words, text)));
    const open = this.#tokens.filter((token) => !this.#used.has(token) && !token.isStop);
    const unplaced = open.filter(({ kind }) => kind !== "word").map(({ text }) => text);
    const unknown = open.filter((token) => token.kind === "word" && !isKnown(token));
    const essential = unknown.filter((token) =>
      isEssential(this.#tokens, this.#tokens.indexOf(token)),
    );
    const own = this.#tokens.filter(
      (token) => this.#named.has(token) || (!token.isStop && covers(words, token.text)),
    );
    const common = this.#tokens.filter(({ isStop, text }) => isStop && covers(words, text));
    const content = this.#tokens.filter(({ kind, isStop }) => kind === "word" && !isStop);
    const isBacked = own.length > 0 || content.length === 0;
    return {
      command: this.#command,
      args: parts.flatMap((part) => argsOf(filled.get(part))),
      values: new Map(
        [...filled.values()].map(({ part, values }) => [part.slot?.name ?? "", values.join(" ")]),
      ),
      missing,
      unplaced,
      unused: unknown.map(({ text }) => text),
      isSafe: missing.length + unplaced.length + essential.length === 0 && isBacked,
      score: own.length + common.length * STOP_WEIGHT,
    };
  }

  /** Undefined when the part is not asked for, or not to be filled. */
  #valuesFor(part: Part): readonly string[] | undefined {
    const { flag, slot, literal, isRequired } = part;
    if (literal !== undefined) return this.#literal(literal);
    if (slot === undefined) {
      const trigger = this.#trigger(part);
      for (const token of trigger ?? []) this.#name(token);
      return isRequired || trigger !== undefined ? [] : undefined;
    }
    switch (slot.type) {
      case "choice":
        return this.#choice(slot);
      case "condition":
        return this.#take(({ kind }) => kind === "condition", slot);
      case "url":
        return this.#take(({ kind }) => kind === "url", slot);
      case "output":
        return this.#take((token, at) => token.kind === "file" && this.#isTarget(at), slot);
      case "file": {
        const named = this.#namedFile(slot);
        if (named !== undefined) return this.#take((token) => token === named, slot);
        return flag === undefined || isRequired
          ? this.#take(({ kind }) => kind === "file", slot)
          : undefined;
      }
      default:
        return flag === undefined ? this.#positional(slot) : this.#afterTrigger(part, slot);
    }
  }

  #literal(literal: string): readonly string[] | undefined {
    const said = this.#tokens.find(({ text }) => text.toLowerCase() === literal.toLowerCase());
    if (said !== undefined) this.#name(said);
    return said === undefined ? undefined : [literal];
  }

  #positional({ type, ...slot }: Slot): readonly string[] | undefined {
    if (type === "word") return undefined;
    const kind = type === "number" ? "number" : "quoted";
    return this.#take((token) => token.kind === kind, { type, ...slot });
  }

  #take(
    fits: (token: Token, at: number) => boolean,
    { isRepeated }: Slot,
  ): readonly string[] | undefined {
    const free = this.#tokens.filter((token, at) => !this.#used.has(token) && fits(token, at));
    const taken = isRepeated ? free : free.slice(0, 1);
    for (const token of taken) this.#used.add(token);
    return taken.length === 0 ? undefined : taken.map(({ text }) => text);
  }

  #choice({ choices }: Slot): readonly string[] | undefined {
    for (const choice of choices) {
      const trigger = this.#phrase(choice);
      if (trigger === undefined) continue;
      for (const token of trigger) this.#name(token);
      return [choice];
    }
    return undefined;
  }

  /** A file whose name says what it is for: `person.schema.json` for `<schema file>`. */
  #namedFile({ name }: Slot): Token | undefined {
    const kinds = name.split(" ").filter((word) => !/^(?:file|path|input|data)$/.test(word));
    return this.#tokens.find(
      ({ kind, text }) =>
        kind === "file" &&
        kinds.some((word) => stemsIn(text.replace(/^.*\//, "")).includes(stemOf(word))),
    );
  }

  #isTarget(at: number): boolean {
    return TO.test(this.#tokens[at - 1]?.text ?? "");
  }

  /** `sum of amount`, `by region`, `top 5`, `title "Sales"`; in Chinese also `金额的总和`. */
  #afterTrigger(part: Part, slot: Slot): readonly string[] | undefined {
    const trigger = this.#trigger(part);
    const last = trigger?.at(-1);
    if (trigger === undefined || last === undefined) return undefined;
    let at = this.#tokens.indexOf(last) + 1;
    for (let token = this.#tokens[at]; token !== undefined; token = this.#tokens[++at]) {
      const isFile = token.kind === "file" && slot.type === "word";
      const isJoined = CONNECTED.test(this.#tokens[at - 1]?.text ?? "") && this.#isTrigger(token);
      const isJoining = CONNECTED.test(token.text) && this.#isTrigger(this.#tokens[at + 1]);
      if (!isFile && !isJoined && !isJoining && !PASSED_OVER.test(token.text)) break;
    }
    const kind = slot.type === "number" ? "number" : slot.type === "text" ? "quoted" : "word";
    const value =
      kind === "word" ? (this.#word(at) ?? this.#wordBefore(trigger)) : this.#one(at, kind);
    if (value === undefined) return undefined;
    for (const token of [...trigger, ...value]) this.#name(token);
    return [value.map(({ text }) => text).join("")];
  }

  #one(at: number, kind: Token["kind"]): readonly Token[] | undefined {
    const token = this.#tokens[at];
    return token?.kind === kind ? [token] : undefined;
  }

  /** One name: a single Latin word that no other word goes on, or Chinese words without a gap. */
  #word(at: number): readonly Token[] | undefined {
    const first = this.#tokens[at];
    if (first === undefined || first.isStop || !/word|quoted/.test(first.kind)) return undefined;
    if (this.#isTrigger(first)) return undefined;
    const run = [first];
    for (let next = this.#tokens[at + run.length]; next; next = this.#tokens[at + run.length]) {
      const isOpen = next.kind === "word" && !next.isStop && !this.#isTrigger(next);
      if (!isOpen || PASSED_OVER.test(next.text)) break;
      if (!isHan(next.text) || !isHan(first.text)) return isHan(first.text) ? run : undefined;
      if (next.start !== run.at(-1)?.end || this.#isDocumented(next)) break;
      run.push(next);
    }
    return run;
  }

  #wordBefore(trigger: readonly Token[]): readonly Token[] | undefined {
    const at = this.#tokens.indexOf(trigger[0] ?? ({} as Token));
    if (this.#tokens[at - 1]?.text !== "的") return undefined;
    let from = at - 1;
    for (let token = this.#tokens[from - 1]; token; token = this.#tokens[from - 1]) {
      const isOpen = token.kind === "word" && !token.isStop && !this.#used.has(token);
      if (!isOpen || this.#isTrigger(token) || this.#isDocumented(token)) break;
      from--;
    }
    return from === at - 1 ? undefined : this.#tokens.slice(from, at - 1);
  }

  /** Places for plain words: the one after a number takes what follows it, the others all that is left. */
  #positionalWords(): readonly (readonly [Part, string])[] {
    const { parts } = this.#command;
    const places = parts.filter(({ flag, slot }) => flag === undefined && slot?.type === "word");
    if (places.length === 0) return [];
    const runs: Token[][] = [];
    for (const [at, token] of this.#tokens.entries()) {
      const isOpen = token.kind === "word" && !token.isStop && !this.#used.has(token);
      if (!isOpen || covers(this.#command.words, token.text)) continue;
      const last = runs.at(-1)?.at(-1);
      const isGlued = last?.end === token.start && last === this.#tokens[at - 1];
      if (isGlued) runs.at(-1)?.push(token);
      else runs.push([token]);
    }
    if (runs.length !== places.length) return [];
    const isUnit = (run: readonly Token[]) => {
      const before = this.#tokens[this.#tokens.indexOf(run[0] ?? ({} as Token)) - 1];
      return before?.kind === "number";
    };
    const hasNumber = parts[parts.indexOf(places[0] ?? ({} as Part)) - 1]?.slot?.type === "number";
    if (hasNumber && runs.filter(isUnit).length !== 1) return [];
    const ordered = hasNumber ? runs.toSorted((a, b) => +isUnit(b) - +isUnit(a)) : runs;
    return places.flatMap((part, i) => {
      const run = ordered[i] ?? [];
      for (const token of run) this.#name(token);
      return [[part, run.map(({ text }) => text).join("")] as const];
    });
  }

  #trigger({ phrases }: Part): readonly Token[] | undefined {
    for (const phrase of phrases) {
      const found = this.#phrase(phrase);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The words of a phrase in their order, each not yet taken by another option. */
  #phrase(phrase: string): readonly Token[] | undefined {
    if (isHan(phrase)) return this.#hanPhrase(phrase);
    const stems = stemsIn(phrase);
    const found: Token[] = [];
    for (const token of this.#tokens) {
      const isNext = token.kind === "word" && stemOf(token.text) === stems[found.length];
      if (isNext && !this.#used.has(token)) found.push(token);
      if (found.length === stems.length) return stems.length === 0 ? undefined : found;
    }
    return undefined;
  }

  #hanPhrase(phrase: string): readonly Token[] | undefined {
    for (const [at, first] of this.#tokens.entries()) {
      let text = "";
      for (let end = at; phrase.startsWith(text) && end < this.#tokens.length;) {
        text += this.#tokens[end++]?.text ?? "";
        const run = this.#tokens.slice(at, end);
        if (text === phrase && !this.#used.has(first)) return run;
      }
    }
    return undefined;
  }

  #isTrigger(token: Token | undefined): boolean {
    return this.#command.parts.some(
      ({ flag, phrases }) =>
        flag !== undefined &&
        phrases.some((phrase) => token !== undefined && this.#phrase(phrase)?.includes(token)),
    );
  }

  #isDocumented({ text }: Token): boolean {
    return covers(this.#command.words, text) || covers(this.#shared, text);
  }

  #name(token: Token): void {
    this.#used.add(token);
    this.#named.add(token);
  }
}

function argsOf(filled: Filled | undefined): readonly string[] {
  if (filled === undefined) return [];
  const { flag } = filled.part;
  return flag === undefined ? filled.values : [flag, ...filled.values];
}

function stemsIn(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(stemOf);
}
