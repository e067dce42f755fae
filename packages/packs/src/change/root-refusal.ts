import { SkillwrightError } from "@skillwright/core";
import { UnusableFileError } from "@skillwright/core/internal";
import type { PackFailure, PackFailureCode } from "../pack-failure.ts";

/** Thrown within this folder where a root cannot be used as it is; a value at its border. */
export class RootRefusal extends Error {
  override readonly name = "RootRefusal";
  readonly failureCode: PackFailureCode;
  readonly hint: string | undefined;

  constructor(
    message: string,
    options: { readonly code?: PackFailureCode; readonly hint?: string } = {},
  ) {
    super(message);
    this.failureCode = options.code ?? "root-unwritable";
    this.hint = options.hint;
  }
}

/** A refusal or an error of the file system as a value. Anything else is thrown. */
export function rootFailure(error: unknown, doing: string): PackFailure {
  if (error instanceof RootRefusal) {
    const { failureCode: code, message, hint } = error;
    return {
      ok: false,
      code,
      message: `${doing}: ${message}`,
      ...(hint !== undefined && { hint }),
    };
  }
  if (error instanceof UnusableFileError || SkillwrightError.isInstance(error)) {
    return { ok: false, code: "root-unwritable", message: `${doing}: ${error.message}` };
  }
  const { code, message } = error as NodeJS.ErrnoException;
  if (!(error instanceof Error) || code === undefined || !/^E[A-Z0-9]+$/.test(code)) throw error;
  const hint = HINTS[code];
  return {
    ok: false,
    code: "root-unwritable",
    message: `${doing}: ${message}`,
    ...(hint !== undefined && { hint }),
  };
}

const HINTS: Readonly<Record<string, string | undefined>> = {
  ENOSPC: "free some space on this disk and try again",
  EDQUOT: "free some of your space on this disk and try again",
  EROFS: "the file system is mounted read-only; take another root",
  EACCES: "take a root that you may write, or ask its owner",
  EPERM: "take a root that you may write, or ask its owner",
};
