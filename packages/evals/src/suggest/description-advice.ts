/** What could be added to a description so that missed requests find it. */
export interface DescriptionAdvice {
  readonly ok: true;
  readonly skill: string;
  /** Requests that belong to the skill and were given to another or to none. */
  readonly missed: readonly MissedQuery[];
  readonly accepted: readonly WordProposal[];
  readonly rejected: readonly RejectedWord[];
  /** With all accepted words, tested as a whole; undefined when there is none. */
  readonly description?: string;
}

export interface MissedQuery {
  readonly caseId: string;
  readonly input: string;
  /** The skill whose words fit better. */
  readonly winner?: string;
  /** The words fit this skill best already: its description is not why it was missed. */
  readonly isFirstByWords: boolean;
}

export interface WordProposal {
  readonly word: string;
  /** Cases that would be found with it. */
  readonly gains: readonly string[];
}

export interface RejectedWord {
  readonly word: string;
  /**
   * `claimed`: another skill has the word. `steals`: a request of another skill would be given to this
   * one. `no-effect`: no missed request would be found. `not-needed`: others do what it would do.
   */
  readonly reason: "claimed" | "steals" | "no-effect" | "not-needed";
  /** Who claims it, or what would be stolen. */
  readonly detail: string;
}
