import type { Console } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import type { ComposedRuntime } from "./compose-runtime.ts";

/** Whether scripts and commands can be held here; to be asked before anybody approves one. */
export class SandboxCheck {
  readonly #console: Console;
  #isWarned = false;

  constructor(console: Console) {
    this.#console = console;
  }

  async require({ sandbox, probe }: Pick<ComposedRuntime, "sandbox" | "probe">): Promise<void> {
    if (sandbox === "none" && !this.#isWarned) {
      this.#console.note("warning: scripts and commands run without a sandbox");
      this.#isWarned = true;
    }
    const probed = await probe();
    if (probed.ok) return;
    const { code, message, hint } = probed;
    throw new CommandFailure(EXIT.missing, message, { code, ...(hint !== undefined && { hint }) });
  }
}
