import type { NetworkUse } from "../execution/network/domain-rule.ts";

interface NetworkFacts {
  /** Where it went and where it was not let. */
  readonly network?: readonly NetworkUse[];
  /** How many more there were. */
  readonly networkLeftOut?: number;
}

/** Whatever an executor counts, one line of the record has room for these. */
const MAX_TARGETS = 200;
const MAX_HOST_LENGTH = 253;

/** What the record keeps of the network that a run used; nothing when it had none. */
export function networkFacts(uses: readonly NetworkUse[] | undefined): NetworkFacts {
  if (uses === undefined) return {};
  // What was reached matters more than what was not.
  const sorted = [...uses.filter((use) => use.allowed), ...uses.filter((use) => !use.allowed)];
  const network = sorted.slice(0, MAX_TARGETS).map(({ host, port, allowed }) => ({
    host: host.slice(0, MAX_HOST_LENGTH),
    port,
    allowed,
  }));
  const networkLeftOut = uses.length - network.length;
  return { network, ...(networkLeftOut > 0 && { networkLeftOut }) };
}
