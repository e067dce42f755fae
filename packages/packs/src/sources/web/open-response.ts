import type { PackFailure } from "../../pack-failure.ts";
import { foreignText } from "../foreign-text.ts";
import { sourceFailure } from "../source-failure.ts";
import { checkStep } from "./check-step.ts";
import type { WebContext } from "./web-context.ts";
import { requestFailure, statusFailure } from "./web-failure.ts";

export interface OpenResponse {
  readonly ok: true;
  /** Where the answer came from after redirections. */
  readonly url: URL;
  readonly response: Response;
}

const MAX_REDIRECTS = 5;

/** Asks for a URL and follows redirections one by one, each checked before it is asked. */
export async function openResponse(
  from: URL,
  context: WebContext,
  signal: AbortSignal,
): Promise<OpenResponse | PackFailure> {
  let url = from;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    if (url.href !== context.start.href) {
      const refused = await checkStep(url, context);
      if (refused !== undefined) return refused;
    }
    let response: Response;
    try {
      response = await context.fetch(plainUrl(url), {
        headers: headersFor(url, context),
        redirect: "manual",
        signal,
      });
    } catch (error) {
      return requestFailure(url, error, context);
    }
    const location = response.headers.get("location");
    if (response.status >= 300 && response.status < 400 && location !== null) {
      await discard(response);
      if (!URL.canParse(location, url.href)) return statusFailure(url, response.status);
      url = new URL(location, plainUrl(url));
      continue;
    }
    if (response.ok) return { ok: true, url, response };
    await discard(response);
    return statusFailure(url, response.status);
  }
  const message = `${foreignText(from.href)} redirects more than ${MAX_REDIRECTS} times`;
  return sourceFailure("source-unreachable", message);
}

/** Nobody wants the rest; an answer without end must not be read. */
async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

/** `fetch` refuses credentials in a URL; they go into a header, and to that one origin. */
function plainUrl(url: URL): string {
  const plain = new URL(url);
  plain.username = "";
  plain.password = "";
  return plain.href;
}

function headersFor(url: URL, { start }: WebContext): Record<string, string> {
  const headers = { accept: "*/*", "accept-encoding": "identity", "user-agent": "skillwright" };
  const { username, password } = start;
  if (url.origin !== start.origin || (username === "" && password === "")) return headers;
  const pair = `${decode(username)}:${decode(password)}`;
  return { ...headers, authorization: `Basic ${Buffer.from(pair).toString("base64")}` };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
