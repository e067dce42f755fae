import type { FetchedSignature, FetchOptions } from "../../fetched-pack.ts";
import type { PackFailure } from "../../pack-failure.ts";
import { downloadText } from "./download.ts";
import { webContext } from "./web-context.ts";

const MAX_SIGNATURE_BYTES = 16 * 1024;

/**
 * What lies beside a pack on the web as `<pack>.sig`, asked for as the pack itself was: with its
 * credentials and query, and by the same rules for redirections. Only an answer that there is
 * nothing means that there is nothing.
 */
export async function fetchSignature(
  packUrl: string,
  { fetch, signal }: Pick<FetchOptions, "fetch" | "signal">,
): Promise<FetchedSignature | PackFailure> {
  const url = new URL(packUrl);
  url.pathname += ".sig";
  const context = webContext(url.href, { fetch, signal });
  const loaded = await downloadText(context.start, MAX_SIGNATURE_BYTES, context);
  if (loaded.ok) return { ok: true, text: loaded.text };
  if (loaded.code === "source-missing") return { ok: true };
  // A page that says in many words that there is nothing.
  if (loaded.code === "limit-exceeded") return { ok: true, text: "" };
  return loaded;
}
