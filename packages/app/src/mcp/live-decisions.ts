import { statSync } from "node:fs";
import { join } from "node:path";
import { openTrustStore, type RegistryOptions, visibleLine } from "@skillwright/core/internal";
import { registryOptions } from "../session/registry.ts";
import type { Session } from "../session/session.ts";
import type { AppHost, PlaceOptions } from "../host.ts";

/** In the user's state: whom they trust, and what they switched off. */
const FILES = ["trust.json", "disabled.json"];

interface Decisions {
  readonly isTrusted: NonNullable<RegistryOptions["isTrusted"]>;
  readonly disabled: readonly string[];
}

/**
 * What the user decides about skills while a process goes on. What cannot be read trusts nothing; a
 * project that was not trusted when the process began is not until it begins anew, since nothing of
 * the project's configuration was read.
 */
export class LiveDecisions {
  readonly #session: Session;
  readonly #options: PlaceOptions;
  readonly #host: AppHost;
  /** The registry keeps it, so that it stays the same one. */
  readonly #disabled: string[] = [];
  #isTrusted: Decisions["isTrusted"] = () => false;
  #stamp: string | undefined;
  #folder: string | undefined;

  private constructor(session: Session, options: PlaceOptions, host: AppHost) {
    this.#session = session;
    this.#options = options;
    this.#host = host;
  }

  static async open(
    session: Session,
    options: PlaceOptions,
    host: AppHost,
  ): Promise<LiveDecisions> {
    const decisions = new LiveDecisions(session, options, host);
    decisions.#folder = await session.trust.folder(session.project);
    await decisions.haveChanged();
    return decisions;
  }

  /** The options of a registry that asks here at each of its looks. */
  readonly change = (given: RegistryOptions): RegistryOptions => ({
    ...given,
    disabled: this.#disabled,
    isTrusted: (skill, onlyFor) => this.#isTrusted(skill, onlyFor),
  });

  /** Whether they are others than at the last look, as far as the files tell. */
  readonly haveChanged = async (): Promise<boolean> => {
    const stamp = stampOf(this.#session);
    if (stamp === this.#stamp) return false;
    this.#stamp = stamp;
    this.#set(await this.#read());
    return true;
  };

  #set({ isTrusted, disabled }: Decisions): void {
    this.#isTrusted = isTrusted;
    this.#disabled.splice(0, this.#disabled.length, ...disabled);
  }

  async #read(): Promise<Decisions> {
    const session = this.#session;
    try {
      const trust = await openTrustStore(session.stateDirectory);
      const folder = await trust.folder(session.project);
      // Trust for this run holds until it is revoked.
      const isStill = folder === "trusted" || folder === this.#folder;
      const now = { ...session, trust, projectTrusted: session.projectTrusted && isStill };
      const { isTrusted = () => false, disabled = [] } = await registryOptions(
        now,
        this.#options,
        this.#host,
      );
      return { isTrusted, disabled };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#host.note(visibleLine(`warning: no skill is served for now: ${reason}`));
      return { isTrusted: () => false, disabled: [...this.#disabled] };
    }
  }
}

function stampOf({ stateDirectory }: Session): string {
  return FILES.map((name) => {
    const stats = statSync(join(stateDirectory, name), { throwIfNoEntry: false, bigint: true });
    return stats === undefined ? "none" : [stats.ino, stats.size, stats.mtimeNs].join(" ");
  }).join("\n");
}
