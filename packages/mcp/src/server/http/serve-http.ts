import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { toNodeHandler } from "@modelcontextprotocol/node";
import type { Logger } from "@skillwright/core";
import type { SkillServer } from "../create-skill-server.ts";
import { BodyReader } from "./body-reader.ts";
import { checkRequest, type RequestRules } from "./check-request.ts";
import { type Refusal, refuse } from "./http-answer.ts";
import { HTTP_LIMITS, type HttpLimits } from "./http-limits.ts";
import { HttpSessions } from "./http-sessions.ts";
import { isLoopbackHost } from "./is-loopback-host.ts";
import { type AnswerModern, routePost } from "./route-post.ts";
import { Turns } from "./turns.ts";
import { WaitingResponses } from "./waiting-responses.ts";

export interface ServeHttpOptions {
  /** Every request has to bring it. */
  readonly token: string;
  /** Default: 127.0.0.1. Anything else than an address of this machine alone is the caller's risk. */
  readonly host?: string;
  /** Default: one that is free. */
  readonly port?: number;
  /** Names by which clients may call the server, besides addresses. */
  readonly allowedHosts?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  readonly logger?: Logger;
}

export interface HttpServing {
  readonly url: string;
  readonly port: number;
  /** How many sessions there are. */
  readonly sessions: () => number;
  close(): Promise<void>;
}

const PATH = "/mcp";
const TOO_MUCH: Refusal = {
  status: 503,
  message: "too much waits to be read",
  headers: { "retry-after": "2" },
};

const OPTIONS: OptionKinds<ServeHttpOptions> = {
  token: "string",
  host: "string",
  port: "number",
  allowedHosts: "strings",
  limits: "object",
  logger: "object",
};

export async function serveHttp(
  server: SkillServer,
  options: ServeHttpOptions,
): Promise<HttpServing> {
  checkOptions("serveHttp", options, OPTIONS, ["token"]);
  const { token, host = "127.0.0.1", port = 0, allowedHosts = [], logger } = options;
  if (token === "") throw new TypeError("the token is empty");
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const isLoopback = isLoopbackHost(host);
  const hosts = [...allowedHosts, ...(isLoopback ? [] : [host])].map((one) => one.toLowerCase());
  const rules: RequestRules = { path: PATH, token, isLoopback, hosts };
  const sessions = new HttpSessions(limits);
  const waiting = new WaitingResponses(limits);
  const bodies = new BodyReader(limits);
  const turns = new Turns();
  const modern = createMcpHandler(({ era }) => server.open(era), {
    legacy: "reject",
    maxSubscriptions: limits.sessions,
    onerror: (error) => logger?.debug("a request was refused", { error: error.message }),
  });
  const handler = toNodeHandler(modern, { maxRequestBodySize: limits.bodyBytes });
  // The handler's type asks for what every request has.
  const answerModern = handler as unknown as AnswerModern;
  const stopListening = server.onChange(() => {
    modern.notify.resourcesChanged();
    modern.notify.promptsChanged();
    modern.notify.toolsChanged();
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = checkRequest(request, rules);
    if (refusal !== undefined) return refuse(request, response, refusal);
    const id = request.headers["mcp-session-id"];
    const session = typeof id === "string" ? sessions.get(id) : undefined;
    if (id !== undefined && session === undefined) {
      return refuse(request, response, {
        status: 404,
        message: "there is no such session",
        code: -32_001,
      });
    }
    waiting.watch(response, () => session && void sessions.end(session));
    if (request.method === "POST") {
      const body = await bodies.read(request);
      if (!body.ok) return refuse(request, response, body.refusal);
      await turns.take(response);
      if (!waiting.hasRoom()) return refuse(request, response, TOO_MUCH);
      return routePost(body.value, { request, response, session, sessions, server, answerModern });
    }
    if (session === undefined) {
      const headers = { allow: "POST" };
      return refuse(request, response, {
        status: 405,
        message: "a session is needed for that",
        headers,
      });
    }
    if (request.method === "GET") return session.listen(request, response);
    await sessions.end(session);
    response.writeHead(204).end();
  }

  const listener = createServer(
    {
      headersTimeout: limits.headMilliseconds,
      requestTimeout: limits.requestMilliseconds,
      connectionsCheckingInterval: Math.min(5000, Math.max(50, limits.headMilliseconds / 2)),
      maxHeaderSize: 16 * 1024,
    },
    (request, response) => {
      response.on("error", () => {});
      answer(request, response).catch((error: unknown) => {
        logger?.error("a request failed", { error: String(error) });
        refuse(request, response, { status: 500, message: "the server failed", code: -32_603 });
      });
    },
  );
  listener.maxConnections = limits.connections;
  await new Promise<void>((resolve, reject) => {
    listener.once("error", reject);
    listener.listen(port, host, () => {
      listener.off("error", reject);
      resolve();
    });
  });
  const { port: actual } = listener.address() as AddressInfo;
  const shown = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${shown}:${actual}${PATH}`,
    port: actual,
    sessions: () => sessions.size,
    async close() {
      stopListening();
      const closed = new Promise((resolve) => listener.close(resolve));
      await sessions.close();
      await modern.close();
      waiting.close();
      listener.closeAllConnections();
      await closed;
    },
  };
}
