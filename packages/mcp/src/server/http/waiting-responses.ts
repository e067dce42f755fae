import type { ServerResponse } from "node:http";
import type { HttpLimits } from "./http-limits.ts";

interface Watched {
  readonly onCutOff: () => void;
  bytesWritten: number;
  since: number;
}

/** All answers that are under way, to see which clients do not read them. */
export class WaitingResponses {
  readonly #limits: HttpLimits;
  readonly #open = new Map<ServerResponse, Watched>();
  readonly #timer: NodeJS.Timeout;

  constructor(limits: HttpLimits) {
    this.#limits = limits;
    const { stallMilliseconds, slowMilliseconds } = limits;
    const interval = Math.max(50, Math.min(stallMilliseconds / 4, slowMilliseconds / 2));
    this.#timer = setInterval(() => this.#look(stallMilliseconds), interval);
    this.#timer.unref();
  }

  /** Whether more can be begun. Who reads slowly makes room for who does not. */
  hasRoom(): boolean {
    const { allWaitingBytes, slowMilliseconds } = this.#limits;
    if (this.#bytes <= allWaitingBytes) return true;
    this.#look(slowMilliseconds);
    return this.#bytes <= allWaitingBytes;
  }

  /** `onCutOff` is called when the client reads too slowly; its connection is then gone. */
  watch(response: ServerResponse, onCutOff: () => void): void {
    this.#open.set(response, { onCutOff, bytesWritten: 0, since: Date.now() });
    response.once("close", () => this.#open.delete(response));
  }

  close(): void {
    clearInterval(this.#timer);
    for (const response of this.#open.keys()) response.destroy();
  }

  get #bytes(): number {
    let bytes = 0;
    for (const response of this.#open.keys()) bytes += response.writableLength;
    return bytes;
  }

  #look(stallMilliseconds: number): void {
    const now = Date.now();
    for (const [response, watched] of this.#open) {
      const { socket, writableLength } = response;
      const bytesWritten = (socket?.bytesWritten ?? 0) - (socket?.writableLength ?? 0);
      if (writableLength === 0 || bytesWritten !== watched.bytesWritten) {
        watched.bytesWritten = bytesWritten;
        watched.since = now;
      }
      const isStalled = now - watched.since >= stallMilliseconds;
      if (!isStalled && writableLength <= this.#limits.waitingBytes) continue;
      this.#open.delete(response);
      response.destroy();
      watched.onCutOff();
    }
  }
}
