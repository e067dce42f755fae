import type { LookupFunction } from "node:net";
import type { NetworkAddress } from "../../workspace/network/network-request.ts";
import type { NetworkTarget } from "./domain-rule.ts";

export const CONNECT_MS = 15_000;
/** Without a byte in either direction. */
export const IDLE_MS = 120_000;

/** Connects to one of the addresses that were checked, whatever a resolver says by now. */
export function connectOptions(
  { host, port }: NetworkTarget,
  addresses: readonly NetworkAddress[],
): {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
  readonly autoSelectFamily: boolean;
} {
  const found = addresses.map(({ address, family }) => ({ address, family }));
  return {
    host,
    port,
    autoSelectFamily: true,
    lookup(_host, options, callback) {
      const [first] = found;
      if (options.all === true) callback(null, found);
      else callback(null, first?.address ?? "", first?.family);
    },
  };
}
