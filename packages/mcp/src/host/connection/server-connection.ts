import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { FetchLike } from "@modelcontextprotocol/client";
import type { HostLimits } from "../host-limits.ts";
import { mcpFailure, type McpFailure } from "../mcp-failure.ts";
import type { ServerSettings } from "../settings/read-server-settings.ts";
import { BackOff } from "./back-off.ts";
import type { ConnectedClient } from "./connected-client.ts";

export interface ConnectionOptions {
  readonly version: string;
  readonly limits: HostLimits;
  readonly fetch?: FetchLike | undefined;
  readonly clock?: (() => number) | undefined;
}

export interface Use {
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
}

/** Given to work on a server: to be passed on with every request. */
export interface RequestLimits {
  readonly timeout: number;
  readonly maxTotalTimeout: number;
  readonly signal: AbortSignal;
}

export type Used<Result> = { readonly ok: true; readonly value: Result } | McpFailure;

/** Of a wait that is shorter nobody has to hear. */
const SHORT_WAIT_MS = 1000;

/**
 * The way to one server: connected when it is first needed and again after it ended, later each time
 * it fails, and after some failures in a row no more.
 */
export class ServerConnection {
  readonly settings: ServerSettings;
  readonly #options: ConnectionOptions;
  readonly #backOff: BackOff;
  #connected: ConnectedClient | undefined;
  #connecting: Promise<Used<ConnectedClient>> | undefined;
  #last: McpFailure | undefined;
  #isClosed = false;
  #isOld = false;
  /** Counts what the server said about its tools having changed. */
  toolChanges = 0;

  constructor(settings: ServerSettings, options: ConnectionOptions) {
    this.settings = settings;
    this.#options = options;
    this.#backOff = new BackOff(options.limits, options.clock ?? Date.now);
  }

  get label(): string {
    return this.settings.label;
  }

  /** Does work that asks the server. What goes wrong in it is a failure; it is never done twice. */
  async use<Result>(
    { milliseconds, signal }: Use,
    work: (connected: ConnectedClient, limits: RequestLimits) => Promise<Result>,
  ): Promise<Used<Result>> {
    if (isAborted(signal)) return this.#canceled();
    const found = await this.#connectUntil(signal);
    if (!found.ok) return found;
    const connected = found.value;
    const timeUp = AbortSignal.timeout(milliseconds);
    const both = signal === undefined ? timeUp : AbortSignal.any([timeUp, signal]);
    connected.use(true);
    try {
      const limits = { timeout: milliseconds, maxTotalTimeout: milliseconds, signal: both };
      const value = await work(connected, limits);
      this.#backOff.succeeded();
      return { ok: true, value };
    } catch (error) {
      if (both.aborted) this.#endStreams(connected);
      if (isAborted(signal)) return this.#canceled();
      const late = { milliseconds, isOver: timeUp.aborted };
      const { failureOf } = await import("./failure-of.ts");
      return failureOf(error, this.settings, connected.details(), late);
    } finally {
      connected.use(false);
    }
  }

  /** An answer over HTTP that nobody waits for any more would go on, and keep this process alive. */
  #endStreams(connected: ConnectedClient): void {
    if (this.settings.kind !== "address") return;
    if (this.#connected === connected) this.#connected = undefined;
    void connected.close();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connecting;
    await this.#connected?.close();
    this.#connected = undefined;
  }

  #canceled(): McpFailure {
    return mcpFailure("canceled", `the MCP server ${this.label}: the request was canceled`);
  }

  /** The connection is made all the same when somebody stops waiting: another may want it. */
  async #connectUntil(signal: AbortSignal | undefined): Promise<Used<ConnectedClient>> {
    const connecting = this.#connect();
    if (signal === undefined) return connecting;
    const stop = new AbortController();
    const aborted = once(signal, "abort", { signal: stop.signal }).then(
      () => this.#canceled(),
      () => this.#canceled(),
    );
    return Promise.race([connecting, aborted]).finally(() => stop.abort());
  }

  async #connect(): Promise<Used<ConnectedClient>> {
    if (this.#isClosed) {
      return mcpFailure("server-unreachable", `the MCP server ${this.label}: it was closed`);
    }
    if (this.#connected !== undefined) return { ok: true, value: this.#connected };
    this.#connecting ??= this.#tryAgain().finally(() => (this.#connecting = undefined));
    return this.#connecting;
  }

  async #tryAgain(): Promise<Used<ConnectedClient>> {
    const { message = `the MCP server ${this.label} failed`, hint } = this.#last ?? {};
    if (this.#backOff.isOver) {
      const times = `; it failed ${this.#backOff.failures} times in a row and is not tried again`;
      return mcpFailure("server-given-up", message + times, hint);
    }
    const milliseconds = this.#backOff.waitMs();
    if (milliseconds > SHORT_WAIT_MS) {
      const later = `; it is tried again in ${Math.ceil(milliseconds / 1000)} s`;
      return mcpFailure("server-waiting", message + later, hint);
    }
    if (milliseconds > 0) await wait(milliseconds);
    const result = this.#isOld ? await this.#open(true) : await this.#openAny();
    if (!result.ok) this.#failed(result);
    return result;
  }

  /**
   * Some servers of older revisions end when they are asked for their revision, and some never
   * answer: a program is then started once more without the question.
   */
  async #openAny(): Promise<Used<ConnectedClient>> {
    const first = await this.#open(false);
    if (first.ok || this.settings.kind === "address" || this.#isClosed) return first;
    if (first.code !== "server-unreachable" && first.code !== "server-timeout") return first;
    const second = await this.#open(true);
    this.#isOld = second.ok;
    return second;
  }

  async #open(legacy: boolean): Promise<Used<ConnectedClient>> {
    const { limits } = this.#options;
    const { createClient } = await import("./connected-client.ts");
    const { failureOf } = await import("./failure-of.ts");
    const ended = () => failureOf(new Error("it ended"), this.settings, connected.details());
    const { connected, transport } = createClient(this.settings, {
      ...this.#options,
      legacy,
      onToolsChanged: () => void this.toolChanges++,
      onClosed: () => this.#lost(connected, ended),
    });
    connected.use(true);
    const begun = performance.now();
    const signal = AbortSignal.timeout(limits.connectMs);
    try {
      await connected.client.connect(transport, { timeout: limits.connectMs, signal });
      if (!this.#isClosed) {
        this.#connected = connected;
        this.#backOff.connected();
        return { ok: true, value: connected };
      }
      throw new Error("it was closed");
    } catch (error) {
      // The first question of a connection has less time than all of them.
      const milliseconds = Math.round((performance.now() - begun) / 100) * 100;
      const late = { milliseconds, isOver: signal.aborted };
      const failure = failureOf(error, this.settings, connected.details(), late);
      await connected.close();
      return failure;
    } finally {
      connected.use(false);
    }
  }

  /** Ended by itself. Counted as a failure, which the next answer forgives. */
  #lost(connected: ConnectedClient, ended: () => McpFailure): void {
    if (this.#connected !== connected) return;
    this.#connected = undefined;
    if (this.#isClosed) return;
    this.toolChanges++;
    this.#failed(ended());
  }

  #failed(failure: McpFailure): void {
    this.#last = failure;
    this.#backOff.failed();
  }
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
