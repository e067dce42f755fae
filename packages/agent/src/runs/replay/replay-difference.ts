export interface ReplayDifference {
  /** Of the record, from 0 on. */
  readonly index: number;
  /** Undefined where the loop goes on and the record has ended. */
  readonly expected?: ReplayedEvent;
  /** Undefined where the loop ends and the record goes on. */
  readonly got?: ReplayedEvent;
}

export interface ReplayedEvent {
  readonly event: string;
  readonly data: unknown;
}

/** The loop did something else than it did then. */
export class Difference extends Error {
  readonly difference: ReplayDifference;

  constructor(difference: ReplayDifference) {
    super("the run is not what it was");
    this.difference = difference;
  }
}
