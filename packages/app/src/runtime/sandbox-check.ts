import type { ComposedRuntime } from "./compose-runtime.ts";
import { AppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";

/** Whether scripts and commands can be held here; to be asked before anybody approves one. */
export class SandboxCheck {
  readonly #host: AppHost;
  #isWarned = false;

  constructor(host: AppHost) {
    this.#host = host;
  }

  async require({ sandbox, probe }: Pick<ComposedRuntime, "sandbox" | "probe">): Promise<void> {
    if (sandbox === "none" && !this.#isWarned) {
      this.#host.note("warning: scripts and commands run without a sandbox");
      this.#isWarned = true;
    }
    const probed = await probe();
    if (probed.ok) return;
    const { code, message, hint } = probed;
    throw new AppFailure("missing", message, { code, ...(hint !== undefined && { hint }) });
  }
}
