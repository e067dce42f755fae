import type { Verdict, VerdictStatus } from "./eval-summary.ts";

const EXIT_CODES: Readonly<Record<VerdictStatus, 0 | 1 | 4>> = {
  pass: 0,
  inconclusive: 0,
  fail: 1,
  errors: 4,
  "no-data": 4,
};

/** 0: nothing speaks against it. 1: it failed. 4: errors, or nothing was judged. */
export function verdictExitCode(
  { status }: Pick<Verdict, "status">,
  { failWhenInconclusive = false }: { readonly failWhenInconclusive?: boolean } = {},
): 0 | 1 | 4 {
  return status === "inconclusive" && failWhenInconclusive ? 1 : EXIT_CODES[status];
}
