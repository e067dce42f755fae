import type { ExecutionReceipt } from "./executor.ts";

/**
 * What a model gets to read: the output of a success, otherwise what went wrong, with the exit code, and
 * both outputs, since programs use either for anything. Each is as long as it was kept in the receipt.
 */
export function receiptText(receipt: ExecutionReceipt): string {
  if (receipt.ok) return receipt.stdout;
  const { failure, stderr, stdout } = receipt;
  const parts = [withExitCode(failure?.message ?? "the script failed", receipt)];
  if (failure?.hint !== undefined) parts.push(failure.hint);
  if (stderr.trim() !== "") parts.push(`stderr:\n${stderr.trimEnd()}`);
  if (stdout.trim() !== "") parts.push(`stdout:\n${stdout.trimEnd()}`);
  return parts.join("\n");
}

/** Whoever shows it says that it is an error. */
function withExitCode(message: string, { exitCode }: ExecutionReceipt): string {
  const code = `exit code ${exitCode}`;
  return exitCode === null || message.endsWith(code) ? message : `${message} (${code})`;
}
