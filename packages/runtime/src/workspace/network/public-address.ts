import { BlockList, isIP } from "node:net";

/** Addresses that are not somewhere on the public internet, with where they are listed. */
const SPECIAL_IPV4: readonly (readonly [address: string, prefix: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Answers on the machines of a provider only.
  ["168.63.129.16", 32],
];

/** Parts of 2000::/3, which holds everything public, that lead elsewhere or to an IPv4 address. */
const SPECIAL_IPV6: readonly (readonly [address: string, prefix: number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
];

const special = new BlockList();
for (const [address, prefix] of SPECIAL_IPV4) special.addSubnet(address, prefix, "ipv4");
for (const [address, prefix] of SPECIAL_IPV6) special.addSubnet(address, prefix, "ipv6");
const globalIpv6 = new BlockList();
globalIpv6.addSubnet("2000::", 3, "ipv6");

/** True for an address of the public internet: not of this machine, this network or a provider. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, "ipv4");
    case 6:
      // A zone names a network card, so it is no address of the internet.
      if (address.includes("%")) return false;
      return globalIpv6.check(address, "ipv6") && !special.check(address, "ipv6");
    default:
      return false;
  }
}
