import type { PackFailure, PackFailureCode } from "../pack-failure.ts";

interface FailureDetails {
  readonly hint?: string;
  readonly candidates?: readonly string[];
}

export function sourceFailure(
  code: PackFailureCode,
  message: string,
  { hint, candidates }: FailureDetails = {},
): PackFailure {
  return {
    ok: false,
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(candidates !== undefined && candidates.length > 0 && { candidates }),
  };
}

export function canceled(): PackFailure {
  return sourceFailure("canceled", "the fetch was canceled");
}
