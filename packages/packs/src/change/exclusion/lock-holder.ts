import { ownIdentity, type ProcessIdentity } from "@skillwright/core";

/** Who has the lock. */
export interface LockHolder extends ProcessIdentity {
  /** Of this taking of the lock; no two are the same. */
  readonly token: string;
}

export function thisHolder(token: string): LockHolder {
  return { ...ownIdentity(), token };
}

export function parseHolder(text: string): LockHolder | undefined {
  try {
    const value = JSON.parse(text) as Readonly<Record<keyof LockHolder, unknown>> | null;
    const { pid, token } = value ?? {};
    const isHolder =
      Number.isSafeInteger(pid) &&
      (pid as number) > 0 &&
      typeof token === "string" &&
      /^[0-9a-f-]{36}$/.test(token);
    return isHolder ? (value as LockHolder) : undefined;
  } catch {
    return undefined;
  }
}
