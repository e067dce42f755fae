import type { ServerProblem } from "../connection/failure-of.ts";

const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by itself only",
  SELF_SIGNED_CERT_IN_CHAIN:
    "its certificate is signed by an authority that this machine does not know",
  UNABLE_TO_GET_ISSUER_CERT:
    "its certificate is signed by an authority that this machine does not know",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    "its certificate is signed by an authority that this machine does not know",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    "its certificate is signed by an authority that this machine does not know",
};

const SIGNER_HINT = "if you know the signer: NODE_EXTRA_CA_CERTS=<file with its certificate>";

/** Why a request got no answer. */
export function fetchProblem(
  error: unknown,
  { host, hostname, port }: URL,
): ServerProblem | undefined {
  const codes = [...causes(error)].flatMap(({ code }) => (typeof code === "string" ? [code] : []));
  const certificate = codes.find((code) => Object.hasOwn(CERTIFICATES, code));
  if (certificate !== undefined) {
    const isSigner = /SIGN|ISSUER/.test(certificate);
    return { reason: CERTIFICATES[certificate] ?? "", ...(isSigner && { hint: SIGNER_HINT }) };
  }
  const has = (pattern: RegExp) => codes.some((code) => pattern.test(code));
  if (has(/^ECONNREFUSED$/)) {
    return { reason: `nothing listens at ${host}`, hint: "is the server running, at this port?" };
  }
  if (has(/^(?:ENOTFOUND|EAI_AGAIN)$/)) {
    const hint = "look at the spelling of its url, and at your network";
    return { reason: `the host ${hostname} is not found`, hint };
  }
  if (has(/SSL_WRONG_VERSION|^EPROTO$|SSL_PACKET/)) {
    return { reason: `${host} does not speak TLS`, hint: "is its url http: instead of https:?" };
  }
  if (has(/TIMEOUT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/)) {
    return { reason: `${host} cannot be reached`, hint: "look at your network" };
  }
  if (has(/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/)) {
    return { reason: `${host} ended the connection without an answer` };
  }
  const says = (text: string) => [...causes(error)].some(({ message }) => message === text);
  if (says("bad port")) return { reason: `port ${port} is for something else than HTTP` };
  if (says("unexpected redirect")) {
    const hint = "put the address it leads to into its url";
    return { reason: "it leads to another address, which is not followed", hint };
  }
  return undefined;
}

/** Why an answer is none. Undefined where the protocol says more about it. */
export function answerProblem(
  { status, headers }: Pick<Response, "status" | "headers">,
  hasToken: boolean,
): ServerProblem | undefined {
  const type = headers.get("content-type") ?? "";
  if (status === 401) {
    const hint = hasToken
      ? "its token in headers is not accepted: is it still valid?"
      : 'give it a token: "headers": { "Authorization": "Bearer ${TOKEN}" }';
    return { reason: "it wants to know who asks (HTTP 401)", hint };
  }
  if (status === 403) return { reason: "it denies access (HTTP 403)" };
  if (status === 404 || status === 410) {
    const hint = "look at the path of its url; many end with /mcp";
    return { reason: `there is no MCP server at this address (HTTP ${status})`, hint };
  }
  if (status === 429) return { reason: "it has had too many requests (HTTP 429)", hint: "wait" };
  if (status >= 500) return { reason: `it fails (HTTP ${status})` };
  if (status < 300 && /^text\/(?:html|plain)\b/i.test(type)) {
    const hint = "look at its url: that is a page, and no MCP server";
    return { reason: `it answers with ${type.split(";")[0]}`, hint };
  }
  return undefined;
}

const MAX_CAUSES = 8;

function* causes(
  error: unknown,
): Generator<{ readonly code?: unknown; readonly message?: unknown }> {
  const left: unknown[] = [error];
  for (let count = 0; left.length > 0 && count < MAX_CAUSES; count++) {
    const one = left.shift();
    if (typeof one !== "object" || one === null) continue;
    yield one;
    const { cause, errors } = one as { readonly cause?: unknown; readonly errors?: unknown };
    left.push(cause, ...(Array.isArray(errors) ? errors : []));
  }
}
