import type { NetworkTarget } from "./domain-rule.ts";

/** A place that a script wanted to reach. */
export interface NetworkUse {
  readonly host: string;
  /** 0 when what was asked for is no place at all. */
  readonly port: number;
  readonly allowed: boolean;
}

/** Of each kind. */
const MAX_TARGETS = 100;
const MAX_TEXT_LENGTH = 253;

/**
 * Where a run went and where it was not let. Of what was refused the first are kept; of what was
 * allowed all are, since nothing more is allowed when there is no room to name it.
 */
export class NetworkRecord {
  readonly #allowed = new Map<string, NetworkUse>();
  readonly #refused = new Map<string, NetworkUse>();

  /** False when there have been too many other targets. */
  allow(target: NetworkTarget): boolean {
    return add(this.#allowed, target, true);
  }

  refuse(target: NetworkTarget): void {
    add(this.#refused, target, false);
  }

  /** For what cannot even be read. */
  refuseText(text: string): void {
    const host = text.slice(0, MAX_TEXT_LENGTH).replaceAll(/[^\u0021-\u007e]/g, "?");
    this.refuse({ host, port: 0 });
  }

  list(): readonly NetworkUse[] {
    return [...this.#allowed.values(), ...this.#refused.values()];
  }
}

function add(
  uses: Map<string, NetworkUse>,
  { host, port }: NetworkTarget,
  allowed: boolean,
): boolean {
  const key = `${host} ${port}`;
  if (uses.has(key)) return true;
  if (uses.size >= MAX_TARGETS) return false;
  uses.set(key, { host, port, allowed });
  return true;
}
