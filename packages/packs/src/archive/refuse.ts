import { errorCode } from "@skillwright/core/internal";
import type { PackFailure, PackFailureCode } from "../pack-failure.ts";

export function refuse(code: PackFailureCode, message: string, hint?: string): PackFailure {
  return { ok: false, code, message, ...(hint !== undefined && { hint }) };
}

export function invalidArchive(problem: string): PackFailure {
  return refuse("archive-invalid", `the archive ${problem}`);
}

/** Bytes that no entry accounts for: another reader may see something in them. */
export function unclaimedData(): PackFailure {
  const message = "the archive has data that belongs to no entry, before it or inside";
  return refuse("archive-unsafe", message);
}

export function dataAfterEnd(): PackFailure {
  return refuse("archive-unsafe", "the archive has data after its end");
}

/** Whether zlib could not go on with what it was given; anything else is a bug of somebody's. */
export function isDamage(error: unknown): boolean {
  return errorCode(error)?.startsWith("Z_") === true;
}

export function canceled(): PackFailure {
  return refuse("canceled", "it was canceled; nothing was kept");
}

/** What the file system said when something was to be written. */
export function unwritable(error: unknown): PackFailure {
  const code = errorCode(error) ?? "unknown";
  if (code === "EEXIST") {
    const message = "two entries have names that are one on this file system";
    return refuse("archive-unsafe", message);
  }
  const reason = REASONS[code] ?? "it failed";
  return refuse("root-unwritable", `the files cannot be written: ${reason} (${code})`);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  ENAMETOOLONG: "a path is too long for this system",
  ENOENT: "the folder is gone",
};
