import type { Plan } from "@skillwright/agent";

/** What a person sees of a run, made from its records alone. */
export interface ViewState {
  /** Of the run that was asked for; those of its children are their own matter. */
  readonly plan?: Plan;
  readonly model: string;
  /** What is being done, and since when. */
  readonly activity?: Activity;
  /** The latest that the model wrote; not what is a decision in JSON. */
  readonly said: string;
  readonly turns: number;
  readonly tokens: number;
  readonly cost: number;
  /** Milliseconds, of the clock of the view. */
  readonly began: number;
  /** Runs that have begun and not ended: this one and, inside it, its children. */
  readonly depth: number;
  readonly isStopping: boolean;
  readonly hasEnded: boolean;
  /** Why skills are chosen, until the first of them is there. */
  readonly reason?: string;
  /** Skills are searched for in this step. */
  readonly isSearching: boolean;
  /** The tool of this step. */
  readonly tool?: string;
  /** The script of this step, as one would type it. */
  readonly command?: string;
  /** How the script of this step ended, until its output is known. */
  readonly script?: EndedScript;
  /** What became of the changes of this step, until it ends. */
  readonly changes?: readonly ViewLine[];
  /** The step was refused or could not be asked about; a line says so already. */
  readonly isRefused: boolean;
}

interface Activity {
  readonly text: string;
  readonly since: number;
}

interface EndedScript {
  readonly outcome: string;
  readonly ok: boolean;
}

/** A line about what has happened, which stays. */
export interface ViewLine {
  readonly label: string;
  readonly text: string;
  readonly tone?: "bad" | "strong";
  /** Details below it. */
  readonly remark?: string;
  /** Of a program: shown as it is, line by line, shortened. */
  readonly output?: { readonly text: string; readonly from: "start" | "end" };
}

export const NOTHING_YET: ViewState = {
  model: "",
  said: "",
  turns: 0,
  tokens: 0,
  cost: 0,
  began: 0,
  depth: 0,
  isStopping: false,
  hasEnded: false,
  isSearching: false,
  isRefused: false,
};
