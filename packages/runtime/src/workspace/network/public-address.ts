import { addressReach } from "@skillwright/core/internal/address";
import { isIP } from "node:net";

/** An IPv4 address inside an IPv6 one: resolvers do not give these, so one is an attempt to mislead. */
const MAPPED = /^::ffff:/i;

/** True for an address of the public internet: not of this machine, this network or a provider. */
export function isPublicAddress(address: string): boolean {
  // A zone names a network card.
  if (isIP(address) === 0 || address.includes("%") || MAPPED.test(address)) return false;
  return addressReach(address) === "public";
}
