import { isIP } from "node:net";
import {
  type NetworkAddress,
  type NetworkLookup,
  systemLookup,
} from "../../workspace/network/network-request.ts";
import { type DomainRule, isAllowedBy, type NetworkTarget } from "./domain-rule.ts";
import type { NetworkRecord } from "./network-record.ts";

export interface AdmissionOptions {
  /** The system's resolver unless given. */
  readonly lookup?: NetworkLookup;
  /** Which addresses may be connected to; those of the public internet unless given. */
  readonly isPublic?: (address: string) => boolean;
}

export type Admission =
  | { readonly ok: true; readonly addresses: readonly NetworkAddress[] }
  | { readonly ok: false; readonly status: 403 | 502; readonly message: string };

/**
 * Whether a script may go there, and to which addresses: only to those may be connected, since the
 * next answer of a resolver may be another one. No name is looked up that no rule allows.
 */
export async function admitTarget(
  target: NetworkTarget,
  rules: readonly DomainRule[],
  record: NetworkRecord,
  { lookup = systemLookup, ...options }: AdmissionOptions,
): Promise<Admission> {
  const { host, port } = target;
  const refuse = (why: string): Admission => {
    record.refuse(target);
    return { ok: false, status: 403, message: `${host}:${port} ${why}` };
  };
  if (!rules.some((rule) => isAllowedBy(rule, target))) {
    return refuse("is not among the domains that this script may reach");
  }
  const addresses = await addressesOf(host, lookup);
  const isPublic =
    options.isPublic ?? (await import("../../workspace/network/send-request.ts")).isPublicAddress;
  if (!addresses.every(({ address }) => isPublic(address))) {
    return refuse("leads to an address that is not on the public internet");
  }
  // Named although it has no address: the question alone told someone something.
  if (!record.allow(target)) return refuse("is one target too many for one run");
  if (addresses.length > 0) return { ok: true, addresses };
  return { ok: false, status: 502, message: `${host} has no address` };
}

async function addressesOf(
  host: string,
  lookup: NetworkLookup,
): Promise<readonly NetworkAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }];
  try {
    return await lookup(host);
  } catch {
    return [];
  }
}
