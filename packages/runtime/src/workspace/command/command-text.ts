import type { ExecutionReceipt } from "../../execution/executor.ts";

/** What a model gets to read of a command: both outputs, since programs use either for anything. */
export function commandText({ ok, stdout, stderr, failure }: ExecutionReceipt): string {
  const isPlain = ok && stderr.trim() === "";
  if (isPlain) return stdout;
  const parts = ok ? [] : [failure?.message ?? "the command failed"];
  if (failure?.hint !== undefined) parts.push(failure.hint);
  if (stdout.trim() !== "") parts.push(ok ? stdout.trimEnd() : `stdout:\n${stdout.trimEnd()}`);
  if (stderr.trim() !== "") parts.push(`stderr:\n${stderr.trimEnd()}`);
  return parts.join("\n");
}
