import { foldText } from "../text/fold-character.ts";
import type { Language } from "./file-kind.ts";
import type { LineZone, Zone } from "./markdown-zones.ts";
import type { ScanFile, ScanLine } from "./scan-line.ts";

const MAX_AROUND = 4000;
const COMMENT = /<!--|^\s*\[(?:\/\/|comment)\]:/i;

/** What surrounds a line is worked out when it is asked for, and once. */
export class TextLine implements ScanLine {
  readonly file: ScanFile;
  readonly index: number;
  readonly start: number;
  readonly end: number;
  readonly offset: number;
  #raw: string | undefined;
  #text: string | undefined;
  #zone: LineZone | undefined;
  #lead: number | undefined;
  #sentence: string | undefined;

  constructor(file: ScanFile, index: number, start: number, end: number, offset: number) {
    this.file = file;
    this.index = index;
    this.start = start;
    this.end = end;
    this.offset = offset;
  }

  get raw(): string {
    return (this.#raw ??= this.file.text.slice(this.start, this.end));
  }

  get text(): string {
    return (this.#text ??= foldText(
      this.raw.includes("\\n") ? this.raw.replaceAll("\\n", "  ") : this.raw,
    ));
  }

  get place(): LineZone {
    return (this.#zone ??= this.file.zone(this.index));
  }

  get lead(): number {
    return (this.#lead ??= this.file.lead(this.index));
  }

  get zone(): Zone {
    return this.place.zone;
  }

  get language(): Language {
    return this.place.language;
  }

  get isCode(): boolean {
    return this.zone === "code" || this.zone === "fence";
  }

  get quotesAttacks(): boolean {
    const { kind, skill } = this.file;
    if (kind === "script" || !skill.profile.aboutAttacks) return false;
    if (this.zone === "comment" || this.zone === "frontmatter") return false;
    // A comment on one line is part of the prose around it; one in backticks is shown.
    return kind !== "prose" || !COMMENT.test(this.raw.replaceAll(/`[^`]*`/g, ""));
  }

  get isProse(): boolean {
    return this.zone === "prose" || this.zone === "heading" || this.zone === "frontmatter";
  }

  around(before: number, after: number): string {
    const parts: string[] = [];
    for (let at = this.index - before; at <= this.index + after; at++) {
      if (at === this.index) parts.push(this.raw);
      else if (at >= 0 && at < this.file.lineCount)
        parts.push(this.file.rawLine(at).slice(0, 1000));
    }
    return plain(foldText(parts.join("\n").slice(0, MAX_AROUND)));
  }

  aroundInBlock(before: number, after: number): string {
    if (this.zone !== "fence") return this.around(before, after);
    const { blockStart } = this.place;
    let last = this.index;
    while (
      last - this.index < after &&
      this.file.zone(last + 1).zone === "fence" &&
      this.file.zone(last + 1).blockStart === blockStart
    )
      last++;
    return this.around(Math.min(before, this.index - blockStart), last - this.index);
  }

  get sentence(): string {
    return (this.#sentence ??= this.#isComplete ? plain(this.text) : this.around(0, 1));
  }

  get #isComplete(): boolean {
    return /[.!?:|]\s*$/.test(this.raw) || this.file.isBlank(this.index + 1);
  }
}

function plain(text: string): string {
  const bare = /[*`_]/.test(text) ? text.replaceAll(/[*`]|(?<!\w)_{1,2}(?=\w)/g, "") : text;
  return /\s\s|[\n\t]/.test(bare) ? bare.replaceAll(/\s+/g, " ") : bare;
}
