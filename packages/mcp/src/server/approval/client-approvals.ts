import type { Approvals } from "@skillwright/runtime/internal";
import { currentPrincipal } from "../client-record.ts";

/** Opens the approvals of a client; without a principal, those of whoever serves. */
export type OpenClientApprovals = (principal?: string) => Promise<Approvals>;

/** Clients name themselves, so that there may be any number. */
const MAX_OPEN = 1000;

/** Each client that calls has approvals of its own: what was approved for one never counts for another. */
export async function clientApprovals(open: OpenClientApprovals): Promise<Approvals> {
  const own = await open();
  const opened = new Map<string, Approvals>();

  async function current(): Promise<Approvals> {
    const principal = currentPrincipal();
    if (principal === undefined) return own;
    const known = opened.get(principal) ?? (await open(principal));
    // The one that was used last stays longest.
    opened.delete(principal);
    opened.set(principal, known);
    const [oldest] = opened.keys();
    if (opened.size > MAX_OPEN && oldest !== undefined) opened.delete(oldest);
    return known;
  }

  return {
    runId: own.runId,
    get principal() {
      return currentPrincipal() ?? own.principal;
    },
    // All are signed with the same key.
    verify: (value) => own.verify(value),
    source: (request) => (opened.get(request.principal) ?? own).source(request),
    request: async (call) => (await current()).request(call),
    callId: async (call) => (await current()).callId(call),
    find: async (request) => (await current()).find(request),
    record: async (request, decision) => (await current()).record(request, decision),
    admit: async (request, decision) => (await current()).admit(request, decision),
    list: async () => (await current()).list(),
  };
}
