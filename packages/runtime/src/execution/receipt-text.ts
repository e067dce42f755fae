import type { ExecutionReceipt } from "./execution-receipt.ts";

/** What a model gets to read: the output of a success, otherwise the error with its exit code. */
export function receiptText(receipt: ExecutionReceipt): string {
  if (receipt.ok) return receipt.stdout;
  const { exitCode, failure, stderr, stdout } = receipt;
  const code = exitCode === null ? "" : ` (exit code ${exitCode})`;
  const parts = [`Error${code}: ${failure?.message ?? "the script failed"}`];
  if (failure?.hint !== undefined) parts.push(failure.hint);
  if (stderr.trim() !== "") parts.push(`stderr:\n${stderr.trimEnd()}`);
  // Some programs report their errors on standard output.
  else if (stdout.trim() !== "") parts.push(`stdout:\n${stdout.trimEnd()}`);
  return parts.join("\n");
}
