import { lookup as systemLookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** How far inside an address is: what a page names must not be further inside than the page. */
export type Reach = "public" | "private" | "loopback" | "link-local";
export type Lookup = (host: string) => Promise<readonly string[]>;

const ORDER: readonly Reach[] = ["public", "private", "loopback", "link-local"];

const LOOPBACK = blockList([["127.0.0.0", 8]], [["::1", 128]]);
/** With it what means "this machine" or "everyone", and where clouds keep their credentials. */
const LINK_LOCAL = blockList(
  [
    ["0.0.0.0", 8],
    ["169.254.0.0", 16],
    ["168.63.129.16", 32],
    ["224.0.0.0", 3],
  ],
  [
    ["::", 128],
    ["fe80::", 10],
    ["ff00::", 8],
    ["fd00:ec2::", 32],
  ],
);
const PRIVATE = blockList(
  [
    ["10.0.0.0", 8],
    ["100.64.0.0", 10],
    ["172.16.0.0", 12],
    ["192.0.0.0", 24],
    ["192.0.2.0", 24],
    ["192.168.0.0", 16],
    ["198.18.0.0", 15],
    ["198.51.100.0", 24],
    ["203.0.113.0", 24],
  ],
  [],
);
/** All that is public in IPv6, and the parts of it that stand for something else. */
const GLOBAL = blockList([], [["2000::", 3]]);
const NOT_GLOBAL = blockList(
  [],
  [
    ["2001::", 23],
    ["2001:db8::", 32],
    ["2002::", 16],
    ["3fff::", 20],
  ],
);

export const resolveName: Lookup = async (host) => {
  const found = await systemLookup(host, { all: true });
  return found.map(({ address }) => address);
};

/** True where plain http stays on this machine. Only names that no resolver can turn elsewhere. */
export function isLoopbackName(hostname: string): boolean {
  const host = bareHost(hostname);
  return host === "localhost" || (isIP(host) !== 0 && reachOfAddress(host) === "loopback");
}

/** The furthest inside that a host leads; a name without an address is for the request to fail at. */
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
  return addresses.map(reachOfAddress).reduce(furtherInside, "public");
}

export function isFurtherInside(reach: Reach, than: Reach): boolean {
  return ORDER.indexOf(reach) > ORDER.indexOf(than);
}

function furtherInside(a: Reach, b: Reach): Reach {
  return isFurtherInside(a, b) ? a : b;
}

function reachOfAddress(address: string): Reach {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  const plain = address.replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined) return reachOfAddress(mapped);
  if (LINK_LOCAL.check(plain, family)) return "link-local";
  if (LOOPBACK.check(plain, family)) return "loopback";
  if (PRIVATE.check(plain, family)) return "private";
  if (family === "ipv4") return "public";
  return GLOBAL.check(plain, family) && !NOT_GLOBAL.check(plain, family) ? "public" : "private";
}

function bareHost(hostname: string): string {
  return hostname.toLowerCase().replace(/^\[|\]$|\.$/g, "");
}

type Subnet = readonly [address: string, prefix: number];

function blockList(ipv4: readonly Subnet[], ipv6: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ipv4) list.addSubnet(address, prefix, "ipv4");
  for (const [address, prefix] of ipv6) list.addSubnet(address, prefix, "ipv6");
  return list;
}
