import { docstringLines } from "./docstring-lines.ts";
import { extensionOf, type FileKind, fileKind, type Language, languageOf } from "./file-kind.ts";
import { leadOf, type LineZone, markdownZones } from "./markdown-zones.ts";
import type { ScanFile, ScanLine, ScannedSkill } from "./scan-line.ts";
import { TextLine } from "./text-line.ts";

/** A longer line is looked at piece by piece, so that the work for one place has a bound. */
const PIECE = 2000;
const OVERLAP = 200;
const COMMENT = /^\s*(?:#(?!!)|\/\/|\/?\*|--\s|;|rem\s|<#)/i;

const ODD =
  /[\u00AD\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\u24B6-\u24E9\uD835\uDB40\uFEFF]|[\uFE00-\uFE0F]/;
const STYLED = /[\uD835\u24B6-\u24E9]/;

export class TextFile implements ScanFile {
  readonly skill: ScannedSkill;
  readonly path: string;
  readonly text: string;
  readonly hasOddCharacters: boolean;
  readonly kind: FileKind;
  readonly language: Language;
  leftOut = 0;
  notLookedAt: ScanLine | undefined;
  readonly #starts: number[];
  #lines: readonly string[] | undefined;
  #zones: readonly LineZone[] | undefined;
  #documented: ReadonlySet<number> | undefined;

  constructor(skill: ScannedSkill, path: string, text: string) {
    this.skill = skill;
    this.path = path;
    // Letters in other styles are read as letters; where lines end stays the same.
    this.hasOddCharacters = ODD.test(text);
    this.text = this.hasOddCharacters && STYLED.test(text) ? text.normalize("NFKC") : text;
    this.kind = fileKind(path, text);
    this.language = languageOf(extensionOf(path), text);
    this.#starts = lineStarts(this.text);
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  get lines(): readonly string[] {
    return (this.#lines ??= this.text.split("\n"));
  }

  rawLine(index: number): string {
    return this.lines[index] ?? "";
  }

  isBlank(index: number): boolean {
    const start = this.#starts[index];
    return start === undefined || this.text.charCodeAt(start) === 10;
  }

  lineAt(offset: number): TextLine {
    const index = this.#lineIndex(offset);
    const lineStart = this.#starts[index] ?? 0;
    const lineEnd = (this.#starts[index + 1] ?? this.text.length + 1) - 1;
    if (lineEnd - lineStart <= PIECE) return new TextLine(this, index, lineStart, lineEnd, 0);
    const piece = Math.floor((offset - lineStart) / PIECE);
    const start = Math.max(lineStart, lineStart + piece * PIECE - OVERLAP);
    const end = Math.min(lineEnd, lineStart + (piece + 1) * PIECE + OVERLAP);
    return new TextLine(this, index, start, end, start - lineStart);
  }

  line(index: number): TextLine {
    return this.lineAt(this.#starts[Math.min(Math.max(index, 0), this.#starts.length - 1)] ?? 0);
  }

  zone(index: number): LineZone {
    this.#zones ??= this.kind === "prose" ? markdownZones(this.lines) : [];
    return this.#zones[index] ?? this.#plainZone(index);
  }

  lead(index: number): number {
    return this.kind === "prose" ? leadOf(this.lines, this.#zones ?? [], index) : -1;
  }

  #plainZone(index: number): LineZone {
    if (this.language === "python") this.#documented ??= docstringLines(this.lines);
    const isComment = COMMENT.test(this.rawLine(index)) || this.#documented?.has(index) === true;
    const code = isComment ? "comment" : "code";
    const zone = this.kind === "config" ? "config" : code;
    return { zone, headings: "", language: this.language, blockStart: 0 };
  }

  #lineIndex(offset: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
