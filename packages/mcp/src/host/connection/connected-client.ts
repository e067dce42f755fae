import {
  Client,
  type FetchLike,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { SKILLS_EXTENSION_ID, SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { z } from "zod";
import type { HostLimits } from "../host-limits.ts";
import type { ServerSettings } from "../settings/read-server-settings.ts";
import { boundedFetch } from "../transport/bounded-fetch.ts";
import { ChildTransport } from "../transport/child-transport.ts";
import type { ServerDetails } from "./failure-of.ts";

interface ConnectOptions {
  readonly version: string;
  readonly limits: HostLimits;
  readonly fetch?: FetchLike | undefined;
  /** Without the question that servers of older revisions do not know; some of them end by it. */
  readonly legacy: boolean;
  readonly onToolsChanged: () => void;
  readonly onClosed: () => void;
}

/** A server that answers. */
export interface ConnectedClient {
  readonly client: Client;
  readonly skills: SkillsClient;
  /** Keeps this process alive while somebody waits. */
  use(isUsed: boolean): void;
  /** What it said besides its answers, and why it ended. */
  details(): ServerDetails;
  close(): Promise<void>;
}

/** The client before it is connected: what it offers a server is to be asked, and nothing else. */
export function createClient(settings: ServerSettings, options: ConnectOptions) {
  const { version, limits, legacy } = options;
  const client = new Client(
    { name: "skillwright", version },
    {
      capabilities: { extensions: { [SKILLS_EXTENSION_ID]: {} } },
      versionNegotiation: legacy
        ? { mode: "legacy" }
        : { mode: "auto", probe: { timeoutMs: Math.ceil(limits.connectMs / 3) } },
      listMaxPages: limits.pages,
      // A tool that wants to ask somebody something gets no answer.
      inputRequired: { autoFulfill: false },
    },
  );
  takeAnyResult(client);
  const requests =
    settings.kind === "program" ? undefined : boundedFetch(settings.url, limits, options.fetch);
  const transport =
    settings.kind === "program"
      ? new ChildTransport(settings, limits)
      : new StreamableHTTPClientTransport(settings.url, {
          ...(requests && { fetch: requests.fetch }),
          requestInit: { headers: { ...settings.headers } },
          reconnectionOptions: {
            maxRetries: 0,
            initialReconnectionDelay: 1000,
            maxReconnectionDelay: 1000,
            reconnectionDelayGrowFactor: 1,
          },
        });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has only this
  client.onclose = options.onClosed;
  // What goes wrong is said where it matters: by the request that fails.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has only this
  client.onerror = () => {};
  client.setNotificationHandler("notifications/tools/list_changed", options.onToolsChanged);
  const child = transport instanceof ChildTransport ? transport : undefined;
  let uses = 0;
  const connected: ConnectedClient = {
    client,
    skills: new SkillsClient(client),
    use(isUsed) {
      child?.use(isUsed);
      uses += isUsed ? 1 : -1;
      if (uses === 0) requests?.endAll();
    },
    details: () => ({
      problem: child === undefined ? requests?.problem() : child.problem,
      stray: child?.stray,
      log: child?.log.text() ?? "",
    }),
    async close() {
      await client.close().catch(() => {});
      await transport.close().catch(() => {});
      requests?.endAll();
    },
  };
  return { connected, transport };
}

const ANY_RESULT = z.looseObject({});

/**
 * Lets the result of a tool through as it is: the client would refuse all of it for one part of a
 * type that it does not know. What is in it is looked at by `resultText`.
 */
function takeAnyResult(client: Client): void {
  const request = client.request.bind(client) as (...given: unknown[]) => Promise<unknown>;
  const asked = (question: { readonly method: string }, ...rest: unknown[]) =>
    question.method === "tools/call"
      ? request(question, ANY_RESULT, rest.at(-1))
      : request(question, ...rest);
  client.request = asked;
}
