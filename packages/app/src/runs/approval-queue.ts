import { defined } from "@skillwright/core/internal";
import type { Failure } from "@skillwright/core";
import type { ApprovalDecision, ApprovalRequest, Approver, AskContext } from "@skillwright/runtime";
import type { AppApprovals, ApprovalAnswer, PendingApproval } from "../api.ts";
import { shownRequest } from "./waiting-request.ts";

interface Waiting {
  readonly request: ApprovalRequest;
  readonly source: AskContext["source"];
  readonly settle: (decision: ApprovalDecision) => void;
}

/** Requests wait here until somebody answers, or their run is canceled. */
export class ApprovalQueue implements AppApprovals, Approver {
  readonly #waiting = new Map<string, Waiting>();
  readonly #listeners = new Set<() => void>();

  pending(): readonly PendingApproval[] {
    return [...this.#waiting.values()].map(({ request }) => ({
      id: request.id,
      runId: request.run,
      request: shownRequest(request),
    }));
  }

  source(id: string): string | undefined {
    return this.#waiting.get(id)?.source?.();
  }

  answer(id: string, given: ApprovalAnswer): { readonly ok: true } | Failure {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      return { ok: false, code: "approval-unknown", message: `no call waits for ${id}` };
    }
    const { approved, scope = "once", reason } = given;
    if (approved && !waiting.request.scopes.includes(scope)) {
      const message = `${id} cannot be approved for "${scope}"`;
      const hint = `it can be for ${waiting.request.scopes.join(", ")}`;
      return { ok: false, code: "approval-scope", message, hint };
    }
    const { anyArguments, allOfKind, only } = given;
    const more = defined({ anyArguments, allOfKind, only, reason });
    waiting.settle({ ...more, approved, scope, by: "person" });
    return { ok: true };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async ask(request: ApprovalRequest, { signal, source }: AskContext): Promise<ApprovalDecision> {
    // Whoever answers here is not at a terminal.
    if (request.terminalOnly) return { approved: false, pending: true, scope: "once", by: "host" };
    signal?.throwIfAborted();
    let leave = () => {};
    try {
      return await new Promise<ApprovalDecision>((settle, reject) => {
        leave = () => reject(signal?.reason as Error);
        signal?.addEventListener("abort", leave, { once: true });
        this.#waiting.set(request.id, { request, source, settle });
        this.#changed();
      });
    } finally {
      signal?.removeEventListener("abort", leave);
      this.#waiting.delete(request.id);
      this.#changed();
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
