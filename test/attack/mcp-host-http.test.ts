import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type HostLimits, McpHost } from "../../packages/mcp/src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface JsonRequest {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

type Answer = (method: string, response: ServerResponse, id: unknown) => boolean;

const CAPABILITIES = {
  tools: {},
  resources: {},
  extensions: { "io.modelcontextprotocol/skills": {} },
};
const TOKEN = "token-of-the-user-0123456789";

/** A server over HTTP that is well-behaved but for what the answer does itself. */
async function httpWorld(answer: Answer = () => false, limits: Partial<HostLimits> = {}) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      const { id, method, params } = JSON.parse(body) as JsonRequest;
      if (id === undefined) return void response.writeHead(202).end();
      if (answer(method, response, id)) return undefined;
      const results: Record<string, unknown> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: CAPABILITIES,
          serverInfo: { name: "http", version: "1" },
        },
        "skills/list": { skills: [] },
        "tools/list": { tools: [{ name: "a", inputSchema: { type: "object" } }] },
        "tools/call": { content: [{ type: "text", text: "fine" }] },
      };
      const result = results[method];
      const error = { code: -32601, message: "no such method" };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
      return undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  const host = new McpHost({
    servers: { web: { url, headers: { Authorization: "Bearer ${TOKEN}" } } },
    env: { TOKEN },
    cacheDirectory: join(temporaryFolder(), "cache"),
    limits: { connectMs: 3000, listMs: 3000, callMs: 3000, messageBytes: 1 << 20, ...limits },
  });
  onTestFinished(() => host.close());
  return { host, requests, url };
}

describe("a server over HTTP", () => {
  it("H-02 is asked with the user's header, which is in no report", async () => {
    const { host, requests } = await httpWorld();
    const [report] = await host.check();
    expect(report).toMatchObject({ label: "web", ok: true, tools: 1 });
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    expect(JSON.stringify(report)).not.toContain(TOKEN);
  });

  it.each([
    [401, "text/plain", "it wants to know who asks (HTTP 401)", "still valid"],
    [404, "text/plain", "there is no MCP server at this address (HTTP 404)", "/mcp"],
    [200, "text/html", "it answers with text/html", "a page"],
  ])("H-02 HTTP %d as %s is said in words, and what to do", async (status, type, reason, hint) => {
    const { host } = await httpWorld((_, response) => {
      response.writeHead(status, { "content-type": type }).end("<html>");
      return true;
    });
    const [report] = await host.check();
    expect(report?.failure).toMatchObject({
      code: "server-unreachable",
      message: `the MCP server web: ${reason}`,
      hint: expect.stringContaining(hint),
    });
  });

  it("H-02 X-05 streams that go on after the answer end with the request, and at the close", async () => {
    const open = new Set<ServerResponse>();
    const { host } = await httpWorld((method, response, id) => {
      if (method !== "tools/list") return false;
      const result = { tools: [{ name: "a", inputSchema: { type: "object" } }] };
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
      const beat = setInterval(() => response.write(": still here\n\n"), 20);
      open.add(response);
      response.once("close", () => {
        clearInterval(beat);
        open.delete(response);
      });
      return true;
    });
    const { tools } = await host.tools();
    expect(tools).toHaveLength(1);
    await expect.poll(() => open.size).toBe(0);
    expect((await host.tools()).problems).toEqual([]);
  });

  it.each<[string, Partial<HostLimits>, Answer]>([
    [
      "sent more than",
      { messageBytes: 1 << 16 },
      (_, response, id) => {
        const skills = ["x".repeat(1 << 17)];
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { skills } }));
        return true;
      },
    ],
    ["did not answer within 0.3 s", { listMs: 300 }, () => true],
  ])(
    "H-02 a list of skills that cannot be had is a failure: %s",
    async (reason, limits, answer) => {
      const { host } = await httpWorld(
        (method, response, id) => method === "skills/list" && answer(method, response, id),
        limits,
      );
      const [report] = await host.check();
      expect(report).toMatchObject({
        ok: false,
        failure: { message: expect.stringContaining(reason) },
        problems: [],
      });
    },
  );

  const endless = (type: string, first: string): Answer => {
    return (method, response, id) => {
      if (method !== "tools/list") return false;
      response.writeHead(200, { "content-type": type });
      response.write(first.replace("ID", JSON.stringify(id)));
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(1 << 16)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
      return true;
    };
  };

  it.each<[string, Answer]>([
    [
      "an answer without an end",
      endless("application/json", '{"jsonrpc":"2.0","id":ID,"result":"'),
    ],
    ["events without an end", endless("text/event-stream", "data: ")],
    [
      "more messages than anybody reads",
      (method, response) => {
        if (method !== "tools/list") return false;
        const one = { jsonrpc: "2.0", method: "notifications/message", params: { data: 1 } };
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`data: ${JSON.stringify(one)}\n\n`.repeat(11_000));
        return true;
      },
    ],
    [
      "nesting without sense",
      (method, response, id) => {
        if (method !== "tools/list") return false;
        const deep = "[".repeat(200_000) + "]".repeat(200_000);
        response.writeHead(200, { "content-type": "application/json" });
        response.end(
          `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[{"name":"a","x":${deep}}]}}`,
        );
        return true;
      },
    ],
    [
      "a length that is a lie",
      (method, response) => {
        if (method !== "tools/list") return false;
        response.writeHead(200, { "content-type": "application/json", "content-length": 10 ** 10 });
        response.write("{");
        return true;
      },
    ],
    ["silence", (method) => method === "tools/list"],
    [
      "a redirect to another place",
      (method, response) => {
        if (method !== "tools/list") return false;
        response.writeHead(307, { location: "http://127.0.0.1:9/steal" }).end();
        return true;
      },
    ],
    [
      "no JSON",
      (method, response) => {
        if (method !== "tools/list") return false;
        response.writeHead(200, { "content-type": "application/json" }).end("<html>");
        return true;
      },
    ],
    [
      "an error that repeats the secret",
      (method, response) => {
        if (method !== "tools/list") return false;
        response.writeHead(500).end(`bad token ${TOKEN} \u001b[2J`);
        return true;
      },
    ],
  ])("H-02 %s ends, in bounded memory, with a reason", async (_, answer) => {
    const { host } = await httpWorld(answer);
    const before = process.memoryUsage().rss;
    const { tools, problems } = await host.tools();
    expect([tools, problems]).toEqual([[], [expect.stringContaining("the MCP server web: ")]]);
    expect(problems[0]).not.toContain(TOKEN);
    expect(problems[0]).not.toContain("\u001b");
    expect(process.memoryUsage().rss - before).toBeLessThan(128 << 20);
  });

  it("X-05 after an answer that never came the connection is closed, and the next one is new", async () => {
    let isSilent = true;
    const closed: Promise<void>[] = [];
    const { host } = await httpWorld(
      (method, response) => {
        if (method !== "tools/list" || !isSilent) return false;
        closed.push(new Promise((resolve) => response.on("close", resolve)));
        return true;
      },
      { listMs: 500 },
    );
    expect((await host.tools()).problems).toHaveLength(1);
    await Promise.all(closed);
    expect(closed).toHaveLength(1);
    isSilent = false;
    expect((await host.tools()).tools).toHaveLength(1);
  });
});

describe("an address that is not asked at all", () => {
  it.each([
    "http://example.com/mcp",
    "http://169.254.169.254/latest",
    "http://127.0.0.1.example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "https://user:password@example.com/",
    "no url",
  ])("H-02 %s", async (url) => {
    const asked: string[] = [];
    const host = new McpHost({
      servers: { far: { url } },
      env: {},
      cacheDirectory: join(temporaryFolder(), "cache"),
      fetch: (address) => {
        asked.push(String(address));
        return Promise.reject(new Error("asked"));
      },
    });
    const [report] = await host.check();
    expect(report).toMatchObject({ ok: false, failure: { code: "server-invalid" } });
    expect(asked).toEqual([]);
  });
});
