import { lookup as systemLookup } from "node:dns/promises";
import { isIP, isIPv4 } from "node:net";

/** How far inside an address is: what a page names must not be further inside than the page. */
export type Reach = "public" | "private" | "loopback" | "link-local";
export type Lookup = (host: string) => Promise<readonly string[]>;

const ORDER: readonly Reach[] = ["public", "private", "loopback", "link-local"];

/** Ranges of `ipaddr.js` that are neither public nor merely private. */
const REACH: Readonly<Record<string, Reach | undefined>> = {
  loopback: "loopback",
  linkLocal: "link-local",
  unspecified: "link-local",
  multicast: "link-local",
  broadcast: "link-local",
};
/** Where clouds serve credentials outside the link-local range, and what has no use on the net. */
const INNERMOST = ["168.63.129.16/32", "240.0.0.0/4", "fd00:ec2::/32"];
/** The only part of IPv6 that is public. */
const GLOBAL_UNICAST = "2000::/3";

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
  if (isIP(host) !== 0) return reachOfAddress(host);
  if (/(?:^|\.)localhost$/.test(host)) return "loopback";
  let addresses: readonly string[] = [];
  try {
    addresses = await lookup(host);
  } catch {
    // Behind a proxy names need not be known here.
  }
  return (await Promise.all(addresses.map(reachOfAddress))).reduce(furtherInside, "public");
}

export function isFurtherInside(reach: Reach, than: Reach): boolean {
  return ORDER.indexOf(reach) > ORDER.indexOf(than);
}

function furtherInside(a: Reach, b: Reach): Reach {
  return isFurtherInside(a, b) ? a : b;
}

/** Whatever is not known to be public is private: tunnels, translations, documentation, benchmarks. */
async function reachOfAddress(text: string): Promise<Reach> {
  const { default: ipaddr } = await import("ipaddr.js");
  // IPv4 in IPv6 counts as the IPv4 address.
  const address = ipaddr.process(text);
  const isIn = (range: string) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  };
  if (INNERMOST.some(isIn)) return "link-local";
  const range = address.range();
  const isPublic = range === "unicast" && (address.kind() === "ipv4" || isIn(GLOBAL_UNICAST));
  return isPublic ? "public" : (REACH[range] ?? "private");
}

function bareHost(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$|\.$/g, "");
}
