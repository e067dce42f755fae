/** What the agent did, in order, as far as anybody may judge it. Made from the record of a run. */
export interface Trajectory {
  readonly steps: readonly TrajectoryStep[];
  /** Names of the skills that were activated, in order, each once. */
  readonly skills: readonly string[];
  readonly answer: string;
  readonly status: string;
  readonly usage: TrajectoryUsage;
}

export interface TrajectoryStep {
  /**
   * `select_skills`, `load_resource`, `run_script`, `use_tool`, `final_answer`; a plan update is none.
   * What was rejected, refused or denied is a step too, with `ok: false`.
   */
  readonly action: string;
  /** `pdf`, `pdf/references/FORMS.md`, `pdf/scripts/fill.py`, `read_file`. */
  readonly subject: string;
  /** What it was called with: the fields of the action. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly ok: boolean;
  readonly observation: string;
  readonly turn: number;
  /** Milliseconds since the run began, at its end. */
  readonly atMs: number;
}

export interface TrajectoryUsage {
  readonly turns: number;
  readonly toolCalls: number;
  readonly scripts: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  readonly timeMs: number;
}
