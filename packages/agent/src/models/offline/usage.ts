/** A documented way to call a script. */
export interface Usage {
  /** As `run_script` takes it. */
  readonly script: string;
  readonly parts: readonly UsagePart[];
  /** The heading, the sentences and the comment around it, to choose by. */
  readonly words: string;
}

export type UsagePart =
  | { readonly kind: "literal"; readonly text: string }
  | Slot
  /** `--flag <value>`, `--flag json`. */
  | {
      readonly kind: "option";
      readonly flag: string;
      readonly value: Slot;
      readonly join: " " | "=";
    }
  | { readonly kind: "optional"; readonly parts: readonly UsagePart[] };

/** A place for a value of the request. */
export interface Slot {
  readonly kind: "slot";
  /** In lower case, as people are asked for it. */
  readonly name: string;
  readonly type: SlotType;
  /** Only these are taken. */
  readonly choices: readonly string[];
  /** A word that the documentation itself gives for an option, to be kept if nothing else fits. */
  readonly usual?: string;
  readonly isRepeated: boolean;
  /** Of the file that the documentation names here. */
  readonly extension?: string;
  /** The documentation has a made-up value here, so it may well be left out. */
  readonly isExample?: boolean;
}

export type SlotType =
  | "file"
  | "output"
  | "url"
  | "email"
  | "date"
  | "number"
  | "text"
  | "pair"
  | "from"
  | "to"
  | "word"
  | "any";
