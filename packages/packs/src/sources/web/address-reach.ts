import type { Reach } from "@skillwright/core/internal/address";
import { lookup as systemLookup } from "node:dns/promises";
import { isIP, isIPv4 } from "node:net";

export type Lookup = (host: string) => Promise<readonly string[]>;

/** From the outside in: what a page names must not be further inside than the page. */
const ORDER: readonly Reach[] = ["public", "private", "loopback", "link-local"];

export const resolveName: Lookup = async (host) => {
  const found = await systemLookup(host, { all: true });
  return found.map(({ address }) => address);
};

/** True where plain http stays on this machine. Only names that no resolver can turn elsewhere. */
export function isLoopbackName(hostname: string): boolean {
  const host = bareHost(hostname);
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

/** The furthest inside that a host leads. For a name without an address, the request will fail. */
export async function reachOf(hostname: string, lookup: Lookup): Promise<Reach> {
  const host = bareHost(hostname);
  const { addressReach } = await import("@skillwright/core/internal/address");
  if (isIP(host) !== 0) return addressReach(host);
  if (/(?:^|\.)localhost$/.test(host)) return "loopback";
  let addresses: readonly string[] = [];
  try {
    addresses = await lookup(host);
  } catch {
    // Behind a proxy names need not be known here.
  }
  return addresses.map(addressReach).reduce(furtherInside, "public");
}

export function isFurtherInside(reach: Reach, than: Reach): boolean {
  return ORDER.indexOf(reach) > ORDER.indexOf(than);
}

function furtherInside(a: Reach, b: Reach): Reach {
  return isFurtherInside(a, b) ? a : b;
}

function bareHost(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$|\.$/g, "");
}
