import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { canceled, sourceFailure } from "../source-failure.ts";
import type { WebContext } from "./web-context.ts";

/** An answer that is not the content. */
export function statusFailure(url: URL, status: number): PackFailure {
  const shown = foreignText(url.href);
  if (status === 404 || status === 410) {
    return sourceFailure("source-missing", `there is nothing at ${shown} (${status})`);
  }
  if (status === 401 || status === 403 || status === 407) {
    return sourceFailure("source-unreachable", `${shown} wants to know who asks (${status})`, {
      hint: `Put the credentials into the URL, https://user:token@${url.host}/…; they are used for this host only and not recorded.`,
    });
  }
  const hint = status === 429 || status >= 500 ? { hint: "Try again later." } : {};
  return sourceFailure("source-unreachable", `${shown} answered with ${status}`, hint);
}

/** A request that had no answer, or whose answer broke off. */
export function requestFailure(url: URL, error: unknown, { signal }: WebContext): PackFailure {
  if (signal?.aborted === true) return canceled();
  if (error instanceof Error && "syscall" in error && error.syscall === "write") {
    return sourceFailure("root-unwritable", `the download cannot be written: ${error.message}`);
  }
  const reason = foreignText(reasonOf(error));
  return sourceFailure("source-unreachable", `${foreignText(url.href)} did not answer: ${reason}`, {
    hint: "Check the address and the connection.",
  });
}

/** `fetch` hides the reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return "code" in cause ? String(cause.code) : cause.message;
  return error.message;
}
