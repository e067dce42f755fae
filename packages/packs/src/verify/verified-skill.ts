export type FileStatus = "ok" | "modified" | "missing" | "extra";

export interface VerifiedFile {
  /** Relative to the skill, with `/`. */
  readonly path: string;
  readonly status: FileStatus;
}

/**
 * - `ok`: every file is as the lock says, and there is no other.
 * - `modified`: a file differs or is missing; or a link stands where the lock has a folder; or
 *   what a link of the lock leads to has other content than was locked.
 * - `extra-files`: what the lock knows is as it says, and there is more.
 * - `missing`: there is no such folder.
 * - `linked`: a link to a local source, as the lock says, which has the content that was locked.
 * - `unlocked`: it lies in the root and the lock does not know it.
 * - `unreadable`: nothing can be said; a problem says why.
 */
export type SkillStatus =
  | "ok"
  | "modified"
  | "extra-files"
  | "missing"
  | "linked"
  | "unlocked"
  | "unreadable";

export interface VerifiedSkill {
  readonly name: string;
  /** Of what is there now; of the lock where that is not known; empty where neither is. */
  readonly digest: string;
  /** Of the folder, relative to the base, with `/`. */
  readonly path: string;
  readonly status: SkillStatus;
  /** It is a link to a local source, as the lock says. */
  readonly linked?: true;
  /** Fingerprint of the key that signed exactly what is there. */
  readonly signer?: string;
  /** In byte order. Empty where no file was looked at. */
  readonly files: readonly VerifiedFile[];
}

export interface VerifyProblem {
  readonly code:
    | "outside"
    | "link"
    | "special-file"
    | "unreadable"
    | "signature-invalid"
    | "signer-unknown"
    | "signer-revoked";
  readonly message: string;
  /** Of the skill or file, relative to the base. */
  readonly path: string;
  readonly hint?: string;
}
