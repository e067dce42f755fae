/**
 * What was said before a request. A conversation is a chain of runs: each has a record of its own,
 * and begins with what the ones before it came to.
 */
export interface Conversation {
  /** The name of its first run; empty when this is the first one, which then names it. */
  readonly id: string;
  /** The run before this one. */
  readonly previous?: string;
  /** The oldest first. */
  readonly exchanges: readonly Exchange[];
  /** How many were before these and are left out, since a record has room for so much. */
  readonly omitted?: number;
  /** As `name@source`: active at its end, and active again from the beginning, with their content of now. */
  readonly skills: readonly string[];
}

/** One request and what came of it. */
export interface Exchange {
  readonly runId: string;
  readonly request: string;
  /** The answer; for a run that ended otherwise, what it achieved. */
  readonly answer: string;
}
