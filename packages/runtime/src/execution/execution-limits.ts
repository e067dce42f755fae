import { executionFailure, type ExecutionFailure, type ExecutionLimits } from "./executor.ts";

export type ResolvedLimits = Required<ExecutionLimits>;

const MEBIBYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

export const DEFAULT_LIMITS: ResolvedLimits = {
  timeoutMs: 60_000,
  outputBytes: 100 * 1024,
  memoryBytes: 2048 * MEBIBYTE,
  cpuSeconds: 120,
  fileBytes: 256 * MEBIBYTE,
  openFiles: 512,
  processes: 128,
};

const LARGEST: Partial<ResolvedLimits> = { timeoutMs: DAY_MS, outputBytes: 64 * MEBIBYTE };

/** The limits with their defaults, or why they are none. */
export function resolveLimits(
  given: ExecutionLimits = {},
): { readonly ok: true; readonly limits: ResolvedLimits } | ExecutionFailure {
  const limits = { ...DEFAULT_LIMITS };
  for (const key of Object.keys(DEFAULT_LIMITS) as (keyof ResolvedLimits)[]) {
    const value = given[key];
    if (value === undefined) continue;
    const largest = LARGEST[key] ?? Number.MAX_SAFE_INTEGER;
    if (!Number.isSafeInteger(value) || value < 1 || value > largest) {
      const message = `the limit ${key} must be a whole number from 1 to ${largest}`;
      return executionFailure("limits-invalid", message);
    }
    limits[key] = value;
  }
  return { ok: true, limits };
}
