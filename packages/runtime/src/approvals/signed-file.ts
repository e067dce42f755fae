import { makeFolder } from "@skillwright/core/internal";
import { type KeyObject, randomBytes } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { ApprovalError } from "./approval-error.ts";
import { readRegularFile } from "./read-regular-file.ts";
import { hasSignature, type SignedKind } from "./sign-request.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** The signed object in a file; undefined when there is no such file. Throws when it is damaged. */
export function readSignedFile(file: string, kind: SignedKind, key: KeyObject): object | undefined {
  const read = readRegularFile(file, MAX_BYTES, (why, cause) => damaged(file, why, cause));
  if (read === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(read.bytes.toString("utf8"));
  } catch (error) {
    throw damaged(file, "it is not JSON", error);
  }
  if (!hasSignature(kind, value, key)) throw damaged(file, "its signature does not fit");
  return value as object;
}

/** Appears by rename, readable only by its owner. */
export function writeSignedFile(file: string, value: object): void {
  const temporary = `${file}.${process.pid}.${randomBytes(6).toString("hex")}.new`;
  try {
    makeFolder(dirname(file));
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, {
      mode: 0o600,
      flag: "wx",
      flush: true,
    });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw unwritable(file, error);
  }
}

export function damaged(file: string, why: string, cause?: unknown): ApprovalError {
  return new ApprovalError("approval-damaged", `${file} is damaged: ${why}`, {
    cause,
    hint: `Remove ${file}; what it was about is then asked again.`,
  });
}

export function unwritable(file: string, cause: unknown): ApprovalError {
  const message = `cannot write ${file}: ${(cause as Error).message}`;
  return new ApprovalError("approval-unwritable", message, { cause });
}
