import { readIfPresent, writeAtomic } from "@skillwright/core/internal";
import type { KeyObject } from "node:crypto";
import { ApprovalError } from "./approval.ts";
import { hasSignature, type SignedKind } from "./sign-request.ts";

const MAX_BYTES = 4 * 1024 * 1024;

/** The signed object in a file; undefined when there is no such file. Throws when it is damaged. */
export function readSignedFile(file: string, kind: SignedKind, key: KeyObject): object | undefined {
  const text = readState(file);
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged(file, "it is not JSON", error);
  }
  if (!hasSignature(kind, value, key)) throw damaged(file, "its signature does not fit");
  return value as object;
}

export function writeSignedFile(file: string, value: object): void {
  try {
    writeAtomic(file, `${JSON.stringify(value, null, 2)}\n`, { flush: true });
  } catch (error) {
    throw unwritable(file, error);
  }
}

function readState(file: string): string | undefined {
  try {
    return readIfPresent(file, { maxBytes: MAX_BYTES })?.toString("utf8");
  } catch (error) {
    throw damaged(file, (error as Error).message, error);
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
