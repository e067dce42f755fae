import { randomUUID } from "node:crypto";
import type { HttpLimits } from "./http-limits.ts";
import { HttpSession } from "./http-session.ts";

/** The sessions there are, and no more than there may be. */
export class HttpSessions {
  readonly #limits: HttpLimits;
  readonly #all = new Map<string, HttpSession>();
  readonly #timer: NodeJS.Timeout;

  constructor(limits: HttpLimits) {
    this.#limits = limits;
    const interval = Math.max(50, Math.min(60_000, limits.idleMilliseconds / 4));
    this.#timer = setInterval(() => this.#endIdle(limits.idleMilliseconds), interval);
    this.#timer.unref();
  }

  get size(): number {
    return this.#all.size;
  }

  get(id: string): HttpSession | undefined {
    return this.#all.get(id);
  }

  /** Undefined when there are too many: those that are in use stay. */
  begin(): HttpSession | undefined {
    const { sessions, evictableMilliseconds } = this.#limits;
    if (this.#all.size >= sessions) this.#endIdle(evictableMilliseconds);
    if (this.#all.size >= sessions) return undefined;
    const session = new HttpSession(randomUUID(), this.#limits);
    this.#all.set(session.sessionId, session);
    return session;
  }

  async end(session: HttpSession): Promise<void> {
    this.#all.delete(session.sessionId);
    await session.close();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(Array.from(this.#all.values(), (session) => this.end(session)));
  }

  #endIdle(idleMilliseconds: number): void {
    const before = Date.now() - idleMilliseconds;
    for (const session of this.#all.values()) {
      if (!session.isBusy && session.lastUsed <= before) void this.end(session);
    }
  }
}
