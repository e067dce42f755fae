/** Why a server cannot be had, in words for who configured it. */
export interface ServerProblem {
  readonly reason: string;
  /** What can be done about it. */
  readonly hint?: string;
}
