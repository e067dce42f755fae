import { isConditionName } from "./find-condition.ts";
import { folderSaid } from "./folder-said.ts";
import { findText } from "./find-text.ts";
import { findWord } from "./find-word.ts";
import type { SaidNumber } from "./find-numbers.ts";
import { fitsSlot } from "./fits-slot.ts";
import { maskedIn, unmask } from "./mask-numbers.ts";
import { numbersFor } from "./numbers-for.ts";
import { readNumber } from "./read-number.ts";
import type { RequestFacts } from "./read-request.ts";
import type { Slot } from "./usage.ts";

const MAX_REPEATED = 20;

/** Takes each value of the request at most once. */
export class Filling {
  readonly used = new Set<string>();
  readonly unclear = new Map<number, SaidNumber>();
  /** The last place that was to be filled has such a number. */
  isUnclear = false;
  readonly #facts: RequestFacts;

  constructor(facts: RequestFacts) {
    this.#facts = facts;
  }

  take(slot: Slot, isOption: boolean): string[] {
    this.isUnclear = false;
    const found = this.#candidates(slot, isOption).filter(
      (value) => value !== "" && !this.used.has(value) && !value.includes("\0"),
    );
    const values = slot.isRepeated ? [...new Set(found)].slice(0, MAX_REPEATED) : found.slice(0, 1);
    for (const value of values) this.used.add(value);
    return values;
  }

  mentions(flag: string): boolean {
    const word = flag.replace(/^-+/, "").replace(/[-_]+/g, " ").toLowerCase();
    return word.length > 2 && hasWord(this.#facts.text, word);
  }

  #candidates(slot: Slot, isOption: boolean): readonly string[] {
    const { files, outputs, urls, emails, dates, numbers, pairs } = this.#facts;
    if (slot.choices.length > 0) {
      return slot.choices.filter((choice) => hasWord(this.#facts.plain, choice.toLowerCase()));
    }
    const named =
      pairs.get(slot.name.replaceAll(" ", "-")) ??
      pairs.get(slot.name.replaceAll(" ", "_")) ??
      pairs.get(slot.name);
    if (named !== undefined && slot.type !== "text") {
      return slot.type === "number" ? this.#numberNamed(named) : [named];
    }
    switch (slot.type) {
      case "file":
        // "merge a.pdf into b.pdf" has its second file where an output could stand.
        return [
          ...[...files, ...(isOption ? [] : outputs)].filter((path) => fitsSlot(slot, path)),
          ...(/url/.test(slot.name) ? urls : []),
          ...(isOption || files.length > 0 ? [] : folderSaid(slot.name, this.#facts.text)),
        ];
      case "output":
        // Never what is only named: it would be written over.
        return outputs.filter((path) => fitsSlot(slot, path) && !files.includes(path));
      case "url":
        return urls;
      case "email":
        return emails;
      case "date":
        return dates;
      case "number":
        return this.#read(numbersFor(slot, this.#facts, isOption), slot.isRepeated);
      case "text":
        return isConditionName(slot.name)
          ? findText(slot, this.#facts, isOption).flatMap((text) => this.#condition(text))
          : findText(slot, this.#facts, isOption);
      case "pair":
        return [...pairs].map(([key, value]) => `${key}=${value}`);
      case "any":
        return [
          ...files,
          ...urls,
          ...findText(slot, this.#facts, false),
          ...numbers.map(({ reading, written }) => ("value" in reading ? reading.value : written)),
        ].slice(0, slot.isRepeated ? undefined : 1);
      default:
        return findWord(slot, this.#facts, isOption);
    }
  }

  /** Up to the first one that cannot be read: what comes after it is not what is meant here. */
  #read(numbers: readonly SaidNumber[], isRepeated: boolean): readonly string[] {
    const values: string[] = [];
    for (const number of numbers) {
      const { reading, written } = number;
      // 10 200 300 and 1,2,3 are several, where several are taken.
      const isList = isRepeated && /^\d+(?:[ ,]\d+)+$/.test(written);
      if ("value" in reading) {
        values.push(reading.value);
        if (!isRepeated && !this.used.has(reading.value)) break;
      } else if (isList) values.push(...written.split(/[ ,]/));
      else {
        this.#note(number);
        return [];
      }
    }
    return values;
  }

  #numberNamed(written: string): readonly string[] {
    if (!/\p{N}/u.test(written)) return [written];
    const reading = readNumber(written, this.#facts.isGerman);
    if ("value" in reading) return [reading.value];
    if (/^\p{L}/u.test(written)) return [written];
    const at = this.#facts.text.indexOf(written);
    this.#note({ written, at, reading });
    return [];
  }

  /** A text is compared as it is written, but what is more or less than something is a number. */
  #condition(text: string): readonly string[] {
    const { numbers } = this.#facts;
    const isCompared = /[<>≥≤]=?\s{0,3}\p{Co}/u.test(text);
    const unclear = maskedIn(text, numbers).filter(({ reading, isQuoted }) => {
      const why = "value" in reading || isQuoted === true ? undefined : reading.unclear;
      return why !== undefined && (isCompared || why === "ambiguous" || why === "spaced");
    });
    for (const number of unclear) this.#note(number);
    return unclear.length > 0 ? [] : [unmask(text, numbers)];
  }

  #note(number: SaidNumber): void {
    this.isUnclear = true;
    this.unclear.set(number.at, number);
  }
}

function hasWord(text: string, word: string): boolean {
  const lower = text.toLowerCase();
  const isLatin = /^[\x20-\x7e]+$/.test(word);
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    if (!isLatin) return true;
    const before = lower.charAt(at - 1);
    const after = lower.charAt(at + word.length);
    if (!/[a-z0-9_.]/.test(before) && !/[a-z0-9_]/.test(after)) return true;
  }
  return false;
}
