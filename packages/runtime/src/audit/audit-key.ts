import type { KeyObject } from "node:crypto";
import { dirname } from "node:path";
import { KeyFileError, openKeyFile, readKeyFile } from "../key-file.ts";
import { AuditError, orAuditError } from "./audit-error.ts";

/** The key that signs records, made on first use. */
export function openKey(file: string): KeyObject {
  return orAuditError("audit-unwritable", `cannot make ${file}`, () =>
    orUnusable(file, () => openKeyFile(file)),
  );
}

/** The same; undefined when there is none yet. */
export function readKey(file: string): KeyObject | undefined {
  return orUnusable(file, () => readKeyFile(file));
}

function orUnusable<Result>(file: string, operation: () => Result): Result {
  try {
    return operation();
  } catch (cause) {
    if (!(cause instanceof KeyFileError)) throw cause;
    const message = `the key ${file} cannot be used: ${cause.message}`;
    throw new AuditError("audit-key-unusable", message, {
      cause,
      hint: `Give it back to its owner with mode 0600. Without it, move ${dirname(file)} away: records made so far can then no longer be verified.`,
    });
  }
}
