import { isIP } from "node:net";
import type { Failure } from "@skillwright/core";
import type { NetworkAddress, NetworkLookup } from "./network-transport.ts";

type CheckedUrl = { readonly ok: true; readonly url: URL } | Failure<"network-refused">;
export type CheckedTarget =
  | { readonly ok: true; readonly url: URL; readonly address: NetworkAddress }
  | Failure<"network-refused" | "network-failed">;

const MAX_URL_LENGTH = 4096;

/** Whether an address may be asked at all, and at which one of its checked addresses. */
export async function checkTarget(
  text: string,
  allowedDomains: readonly string[],
  lookup: NetworkLookup,
): Promise<CheckedTarget> {
  const checked = checkUrl(text, allowedDomains);
  if (!checked.ok) return checked;
  const { url } = checked;
  let addresses: readonly NetworkAddress[];
  try {
    addresses = await lookup(url.hostname);
  } catch {
    addresses = [];
  }
  const [first] = addresses;
  if (first === undefined) {
    return { ok: false, code: "network-failed", message: `${url.hostname} has no address` };
  }
  const { isPublicAddress } = await import("./public-address.ts");
  // One private address among public ones is how a name is made to lead inside at the second look.
  if (!addresses.every(({ address }) => isPublicAddress(address))) {
    return refused(`${url.hostname} leads to an address that is not on the public internet`);
  }
  return { ok: true, url, address: first };
}

/** What can be told without asking anyone. */
function checkUrl(text: string, allowedDomains: readonly string[]): CheckedUrl {
  if (text.length > MAX_URL_LENGTH) return refused("the URL is too long");
  // Parsers leave these out silently, so that people and programs read different addresses.
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u0020\u007f-\u009f\\]/.test(text)) {
    return refused("the URL has blanks, backslashes or control characters");
  }
  if (!URL.canParse(text)) return refused("that is no URL");
  const url = new URL(text);
  if (url.protocol !== "https:") return refused("only https is allowed");
  if (url.username !== "" || url.password !== "" || /^[^/]*:\/*[^/?#]*@/.test(text)) {
    return refused("a URL must not hold a user name or password");
  }
  url.hash = "";
  url.hostname = url.hostname.replace(/\.$/, "");
  const { hostname, port } = url;
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) {
    return refused("the host must be a name, not an address");
  }
  if (!allowedDomains.some((domain) => covers(domain, hostname, port))) {
    return refused(
      `${hostname}${port === "" ? "" : `:${port}`} is not among the allowed domains`,
      allowedDomains.length === 0
        ? "No domain is allowed; the user has to name some in the configuration."
        : `Allowed: ${allowedDomains.join(", ")}.`,
    );
  }
  return { ok: true, url };
}

/** `*.example.com` covers what is below `example.com`, not that itself; a port must be named. */
function covers(domain: string, hostname: string, port: string): boolean {
  const [, wildcard = "", host = "", wantedPort = ""] =
    /^(\*\.)?([^:/*]+?)\.?(?::(\d+))?$/.exec(domain.trim().toLowerCase()) ?? [];
  if (host === "" || !URL.canParse(`https://${host}`)) return false;
  if ((wantedPort === "443" ? "" : wantedPort) !== port) return false;
  const plain = new URL(`https://${host}`).hostname;
  return wildcard === "" ? hostname === plain : hostname.endsWith(`.${plain}`);
}

function refused(message: string, hint?: string): Failure<"network-refused"> {
  return { ok: false, code: "network-refused", message, ...(hint !== undefined && { hint }) };
}
