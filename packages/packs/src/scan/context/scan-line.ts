import type { FileKind, Language } from "./file-kind.ts";
import type { LineZone, Zone } from "./markdown-zones.ts";
import type { SkillProfile } from "./skill-profile.ts";

/** What a rule looks at: a line of a file, or a piece of a very long one, with what surrounds it. */
export interface ScanLine {
  readonly file: ScanFile;
  /** From 0. */
  readonly index: number;
  readonly start: number;
  readonly end: number;
  /** Characters of the line before this piece. */
  readonly offset: number;
  readonly raw: string;
  /** Folded: see `foldText`. A newline that is written as an escape is a space. */
  readonly text: string;
  readonly place: LineZone;
  /** The line that introduces this one; -1 when there is none. */
  readonly lead: number;
  readonly zone: Zone;
  readonly language: Language;
  /** A command or statement that would run: a script, or a code block of the instructions. */
  readonly isCode: boolean;
  /**
   * It may quote an attack: the skill says that it is about security. Never true in scripts, which do what they
   * do whatever the skill says about itself, nor where readers do not look.
   */
  readonly quotesAttacks: boolean;
  /** Text for the model. */
  readonly isProse: boolean;
  /** This line as a sentence: without emphasis, and with the next line, where it may go on. */
  readonly sentence: string;
  /** This line with its neighbours, folded, on one line; Markdown emphasis left out. */
  around(before: number, after: number): string;
  /** As `around`, within the same code block; in scripts the same as `around`. */
  aroundInBlock(before: number, after: number): string;
}

export interface ScanFile {
  readonly skill: ScannedSkill;
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly lineCount: number;
  /** Invisible characters, or letters in other styles: few texts have any. */
  readonly hasOddCharacters: boolean;
  readonly kind: FileKind;
  readonly language: Language;
  /** Bytes between the start and the end of the text that were not read. */
  readonly leftOut: number;
  /** The first line that was too much work for a rule. */
  readonly notLookedAt: ScanLine | undefined;
  /** Without regard to the length of the line. */
  rawLine(index: number): string;
  isBlank(index: number): boolean;
  line(index: number): ScanLine;
  /** The piece of a line that an offset lies in. */
  lineAt(offset: number): ScanLine;
  zone(index: number): LineZone;
  /** The line that introduces another; -1 when there is none. */
  lead(index: number): number;
}

/** All texts of a skill, and what was noted about them. */
export interface ScannedSkill {
  readonly files: readonly ScanFile[];
  readonly profile: SkillProfile;
  readonly secrets: readonly SecretRead[];
  readonly sends: readonly NetworkSend[];
  noteSecret(secret: SecretRead): void;
  noteSend(send: NetworkSend): void;
}

/** A line that names a secret so that it would be read. */
export interface SecretRead {
  readonly line: ScanLine;
  /** For people: "SSH private keys". */
  readonly what: string;
  /** `weak` ones are read by many honest programs. */
  readonly strength: "weak" | "strong";
  /** Hosts that it belongs to. */
  readonly home: RegExp;
}

/** A line that carries something out: a body, a file, a query with a value in it. */
export interface NetworkSend {
  readonly line: ScanLine;
  /** Hosts named near it; empty when they come from elsewhere. */
  readonly hosts: readonly string[];
  /** A host that keeps whatever anybody sends, or a bot's address. */
  readonly isCapture: boolean;
}
