import ipaddr from "ipaddr.js";
import { isIP } from "node:net";

/** A separate entry, imported only to judge an address: the library is slow to load. */

/** How far inside an address is. */
export type Reach = "public" | "private" | "loopback" | "link-local";

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

/**
 * Where an address leads. IPv4 in IPv6 counts as the IPv4 address. What is not known to be public is
 * private: tunnels, translations, documentation, benchmarks. Throws for what is not an address.
 */
export function addressReach(text: string): Reach {
  // The library also reads forms such as `127.1` and `0x7f.1`.
  if (isIP(text) === 0) throw new TypeError(`${JSON.stringify(text)} is not an IP address`);
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
