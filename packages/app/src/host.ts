import type { Approver } from "@skillwright/runtime";

/**
 * What the application sees of the world around it. It never reads the current directory, the
 * environment or a terminal by itself, and writes to neither stdout nor stderr.
 */
export interface AppHost {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the skills that come with the program. */
  readonly builtinDirectory?: string | undefined;
  /** Of the program, for servers it talks to. */
  readonly version: string;
  /** Also notes what is only worth reading when something is investigated. */
  readonly verbose: boolean;
  /** Notes only warnings. */
  readonly quiet: boolean;
  /** One line for a person: a warning or a note. Not a result. */
  note(text: string): void;
  /** What takes long right now; each text replaces the one before. */
  progress?(text: string): void;
  /** All that is piped into the program, for a file named `-`. */
  piped?(maxBytes: number): Promise<Buffer>;
  /** Who can be asked now. Undefined: nobody, and what needs an answer waits or is left out. */
  person(): Person | undefined;
}

/** Somebody who answers questions: at a terminal, in a browser, in a test. */
export interface Person {
  /** Asks for approvals. `onLeave`: the person leaves without an answer, and the run pauses. */
  approver(onLeave?: () => void): Approver;
  /** Rejects when the person leaves without an answer, which ends the call. Without it nobody is asked. */
  trust?(question: TrustQuestion): Promise<TrustAnswer>;
}

/** Skills of a project that is not trusted yet. */
export interface TrustQuestion {
  /** In words, such as `2 skills that are`. */
  readonly count: string;
  /** The project's real path. */
  readonly folder: string;
  /** Where links lead outside of it. */
  readonly from: readonly string[];
  /** The names of the skills. */
  readonly names: string;
}

/** Trust the folder from now on, in this session, or not. */
export type TrustAnswer = "folder" | "once" | "no";

/** Where to look for skills and configuration, when it is not the usual places. */
export interface PlaceOptions {
  /** Only these folders of skills. */
  readonly root?: readonly string[];
  /** Only this source: `project`, `user` or `builtin`. */
  readonly source?: string;
  /** A configuration file for this session. */
  readonly config?: string;
  /** Leaves the trigger examples of skills out of search, so that evals do not find their own cases. */
  readonly holdsOutExamples?: boolean;
}
