import type { ApprovedSkill } from "../approval.ts";

/** A call that policy wants to have approved, exactly as it would be carried out. */
export interface ApprovalCall {
  /** Under any of its names. */
  readonly tool: string;
  readonly input: unknown;
  /** The working directory, or `fresh`. */
  readonly cwd: string;
  /** On whose behalf; the digest is that of the snapshot that would run. */
  readonly skill?: ApprovedSkill;
  readonly script?: CalledScript;
  /** The whole argument list, interpreter first. */
  readonly command?: readonly string[];
  /** The backend that would run it; `none` where nothing holds the process. */
  readonly sandbox?: string;
  readonly writable?: readonly string[];
  readonly network?: "none" | readonly string[];
  /** What would change in a file, for tools that write. */
  readonly diff?: string;
  /** Names of the secrets whose values are put in when it is carried out; the rest names only these. */
  readonly secretNames?: readonly string[];
  /** Active skills that declare tools without this one. */
  readonly unlistedBy?: readonly string[];
}

export interface CalledScript {
  /** Relative to the skill, in its one form: `scripts/analyze.py`. */
  readonly path: string;
  readonly args: readonly string[];
  /** From the snapshot; undefined when it is no text. */
  readonly text: string | undefined;
}
