import type { Failure } from "@skillwright/core";

/** Why a pack was not fetched, read, installed, changed or verified. The union is closed. */
export type PackFailureCode =
  /** The source cannot be understood. */
  | "source-invalid"
  /** Nothing is there: no such file, repository, package, reference or page. */
  | "source-missing"
  /** It is there and could not be had: network, permission, a program that failed. */
  | "source-unreachable"
  /** A program that the source needs is not installed: git, npm. */
  | "program-missing"
  /** The archive is malformed, encrypted, or says different things in different places. */
  | "archive-invalid"
  /** A path, link, device or collision in it that could reach outside or hide something. */
  | "archive-unsafe"
  /** More files or bytes than allowed. */
  | "limit-exceeded"
  /** No SKILL.md where one is expected. */
  | "skill-missing"
  /** A skill that does not pass the checks that matter. */
  | "skill-invalid"
  /** The scan found what the caller does not accept. */
  | "scan-refused"
  /** The name is taken by other content. */
  | "name-taken"
  /** What was fetched is not what the lock, index, manifest or signature says. */
  | "digest-mismatch"
  | "signature-invalid"
  | "signer-unknown"
  | "signer-changed"
  | "signer-revoked"
  /** The lock or manifest cannot be read. */
  | "lock-invalid"
  /** `--frozen`, and something differs. */
  | "lock-differs"
  /** There are local edits that the change would lose. */
  | "local-edits"
  | "not-installed"
  | "nothing-to-undo"
  /** Somebody else is changing this root. */
  | "root-busy"
  /** The root cannot be written: read-only, disk full, not a folder. */
  | "root-unwritable"
  | "canceled";

export type PackFailure = Failure<PackFailureCode>;
