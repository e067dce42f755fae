import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/** Questions of a server that get an answer, between two requests of ours. */
const MAX_QUESTIONS = 100;
const TOOLS_CHANGED = "notifications/tools/list_changed";

/**
 * Which messages of a server mean something to us: answers to what was asked, that its tools have
 * changed, and a few questions, which are declined. A server can send the others by the million, so
 * that no time is spent on them.
 */
export class WantedMessages {
  readonly #asked = new Set<string>();
  #questions = 0;
  #isChangeKnown = false;

  sent(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    this.#questions = 0;
    this.#isChangeKnown = false;
    if ("id" in message) this.#asked.add(String(message.id));
  }

  isWanted(message: JSONRPCMessage): boolean {
    if (!("method" in message)) return this.#asked.delete(String(message.id));
    if ("id" in message) return ++this.#questions <= MAX_QUESTIONS;
    if (message.method !== TOOLS_CHANGED || this.#isChangeKnown) return false;
    this.#isChangeKnown = true;
    return true;
  }
}
