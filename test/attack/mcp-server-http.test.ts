import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { linkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  beginSession,
  INITIALIZE,
  post,
  SKILLS,
  skillWorld,
  TOKEN,
} from "../conformance/mcp-server-world.ts";
import { numRuns } from "../support/suite.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request with any headers, also those that `fetch` would not send. */
function raw(
  port: number,
  headers: Readonly<Record<string, string>>,
  { method = "POST", path = "/mcp", body = JSON.stringify(INITIALIZE) } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: "127.0.0.1", method, path, headers }, (response) => {
      let text = "";
      response.on("data", (part: Buffer) => (text += part.toString()));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    request.on("error", reject);
    request.end(body);
  });
}

const AUTHORIZED = {
  authorization: `Bearer ${TOKEN}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

const LIST = { jsonrpc: "2.0", id: 2, method: "skills/list", params: {} };

/** Whether somebody else is still served. */
async function expectService(url: string, session: string): Promise<void> {
  const response = await post(url, LIST, { "mcp-session-id": session });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain("skill://pdf/SKILL.md");
}

describe("who may call", () => {
  it.each([
    ["no token", {}],
    ["another token", { authorization: "Bearer a-token-for-testt" }],
    ["its beginning", { authorization: "Bearer a-token" }],
    ["an empty one", { authorization: "Bearer " }],
    ["another scheme", { authorization: `Basic ${Buffer.from(`x:${TOKEN}`).toString("base64")}` }],
    ["two of them", { authorization: `Bearer ${TOKEN}, Bearer x` }],
  ])("H-02 nobody with %s", async (_, headers) => {
    const { http } = await skillWorld();
    const {
      status,
      headers: answered,
      body,
    } = await raw(http.port, {
      "content-type": "application/json",
      ...headers,
    });
    expect(status).toBe(401);
    expect(answered["www-authenticate"]).toMatch(/^Bearer/);
    expect(body).not.toContain(TOKEN);
    expect(http.sessions()).toBe(0);
  });

  it.each([
    ["a name of theirs", { host: "evil.example" }],
    ["a name that looks like ours", { host: "localhost.evil.example" }],
    ["an address of another network", { host: "192.168.1.10" }],
    ["a name with a user", { host: "localhost@evil.example" }],
    ["a path", { host: "localhost/mcp" }],
    ["a query", { host: "localhost?evil.example" }],
    ["a fragment", { host: "localhost#evil.example" }],
    ["a name with a dot", { host: "localhost." }],
    ["a short address", { host: "127.1" }],
    ["the address of all", { host: "0.0.0.0" }],
    ["an address in another", { host: "[::ffff:127.0.0.1]" }],
    ["their port", { origin: "http://localhost:80@evil.example" }],
    ["a page's path", { origin: "http://localhost/x" }],
    ["their page", { origin: "https://evil.example" }],
    ["a page that begins like ours", { origin: "http://localhost.evil.example" }],
    ["a page of nowhere", { origin: "null" }],
    ["an extension's page", { origin: "chrome-extension://abcdef" }],
  ])("H-02 nobody through %s, with the token or without", async (_, headers) => {
    const { http } = await skillWorld();
    expect((await raw(http.port, { ...AUTHORIZED, ...headers })).status).toBe(403);
    expect((await raw(http.port, headers)).status).toBe(403);
    expect(http.sessions()).toBe(0);
  });

  it("H-02 pages of this machine and clients without a page", async () => {
    const { http } = await skillWorld();
    for (const headers of [
      {},
      { origin: "http://localhost:3000" },
      { host: "LocalHost:1" },
      { host: "[::1]:80", origin: "https://[::1]" },
    ]) {
      expect((await raw(http.port, { ...AUTHORIZED, ...headers })).status).toBe(200);
    }
  });
});

it.each(["host", "origin", "authorization", "mcp-session-id"])(
  "H-02 nobody is taken at the first or the last of two %s headers",
  async (name) => {
    const { http } = await skillWorld();
    const body = JSON.stringify(INITIALIZE);
    const own: Readonly<Record<string, string>> = {
      host: "localhost",
      origin: "http://localhost",
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
      "content-length": `${body.length}`,
    };
    const lines = Object.entries(own).map(([key, value]) => `${key}: ${value}`);
    for (const all of [
      [...lines, `${name}: x`, `${name}: y`],
      [`${name}: x`, `${name}: y`, ...lines],
    ]) {
      const socket = connect(http.port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.write(["POST /mcp HTTP/1.1", ...all, "", body].join("\r\n"));
      const [answer] = (await once(socket, "data")) as [Buffer];
      expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(http.sessions()).toBe(0);
  },
);

describe("what is answered", () => {
  it.each([
    ["another path", 404, AUTHORIZED, { path: "/" }],
    ["a path behind ours", 404, AUTHORIZED, { path: "/mcp/../etc" }],
    ["another method", 405, AUTHORIZED, { method: "PUT" }],
    ["a stream without a session", 405, AUTHORIZED, { method: "GET", body: "" }],
    ["a session that is none", 404, { ...AUTHORIZED, "mcp-session-id": "none" }, {}],
    ["no JSON", 400, AUTHORIZED, { body: "{" }],
    ["no message", 400, AUTHORIZED, { body: "[]" }],
    ["a call before initialize", 400, AUTHORIZED, { body: JSON.stringify(LIST) }],
    ["text", 415, { ...AUTHORIZED, "content-type": "text/plain" }, {}],
    ["a form", 415, { ...AUTHORIZED, "content-type": "application/x-www-form-urlencoded" }, {}],
    ["packed bytes", 415, { ...AUTHORIZED, "content-encoding": "gzip" }, {}],
  ])("H-02 %s: %i", async (_, status, headers, options) => {
    const { http } = await skillWorld();
    expect((await raw(http.port, headers, options)).status).toBe(status);
    expect(http.sessions()).toBe(0);
  });

  it("H-02 a body that is too large is not taken, said or unsaid", async () => {
    const { http } = await skillWorld();
    const session = await beginSession(http.url);
    const body = JSON.stringify({ ...LIST, params: { cursor: "x".repeat(5 * 1024 * 1024) } });
    // Who goes on sending does not see the answer, only the end of the connection.
    const status = (answer: { readonly status: number }) => answer.status;
    const chunked = { ...AUTHORIZED, "transfer-encoding": "chunked" };
    expect([413, "cut off"]).toContain(await post(http.url, body).then(status, () => "cut off"));
    expect([413, "cut off"]).toContain(
      await raw(http.port, chunked, { body }).then(status, () => "cut off"),
    );
    await expectService(http.url, session);
  });

  it("H-02 no message, however wrong, ends the session or is a bug of ours", async () => {
    const { http } = await skillWorld();
    const session = await beginSession(http.url);
    const id = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.object());
    const method = fc.oneof(
      fc.constantFrom("skills/list", "skills/get", "resources/read", "tools/call", "prompts/get"),
      fc.constantFrom("resources/directory/read", "initialize", "constructor", "__proto__"),
      fc.string(),
    );
    const params = fc.oneof(
      fc.object({ key: fc.constantFrom("uri", "cursor", "name", "arguments", "_meta", "x") }),
      fc.jsonValue(),
    );
    const message = fc.oneof(
      fc.record({ jsonrpc: fc.constant("2.0"), id, method, params }, { requiredKeys: [] }),
      fc.jsonValue(),
    );
    await fc.assert(
      fc.asyncProperty(message, async (given) => {
        const response = await post(http.url, given, { "mcp-session-id": session });
        const text = await response.text();
        expect([200, 202, 400]).toContain(response.status);
        expect(text).not.toMatch(/failed in the server|at .*\.ts:\d+/);
      }),
      { numRuns: numRuns(150) },
    );
    await expectService(http.url, session);
  });
});

describe("URIs", () => {
  it.each([
    "skill://pdf/../../../etc/passwd",
    "skill://pdf/..%2f..%2fsecret.txt",
    "skill://pdf/%2e%2e/secret.txt",
    "skill://pdf/%2e%2e%2fsecret.txt",
    "skill://pdf/%252e%252e/secret.txt",
    "skill://pdf/references/..\\..\\..\\secret.txt",
    "skill://pdf//etc/passwd",
    "skill://pdf/SKILL.md%00.png",
    "skill://pdf/SKILL.md?x=1",
    "skill://pdf/SKILL.md#x",
    "skill://pdf@evil/SKILL.md",
    "skill://pdf:80/SKILL.md",
    "skill:///pdf/SKILL.md",
    "skill://PDF/SKILL.md",
    "file:///etc/passwd",
    "http://127.0.0.1/",
    "skill://pdf/soft.md",
    "skill://pdf/hard.md",
    "skill://pdf/outside/secret.txt",
    "skill://constructor/SKILL.md",
    `skill://pdf/${"a/".repeat(5000)}`,
    "skill://pdf/\ud800",
    "",
  ])("D-10 H-02 %j gives nothing", async (uri) => {
    const outside = temporaryFolder({ "secret.txt": "the secret" });
    const { http, root } = await skillWorld();
    writeFileSync(join(root, "secret.txt"), "the secret");
    symlinkSync(join(outside, "secret.txt"), join(root, "pdf/soft.md"));
    linkSync(join(outside, "secret.txt"), join(root, "pdf/hard.md"));
    symlinkSync(outside, join(root, "pdf/outside"));
    const session = await beginSession(http.url);
    for (const method of ["resources/read", "skills/get", "resources/directory/read"]) {
      const message = { jsonrpc: "2.0", id: method, method, params: { uri } };
      const response = await post(http.url, message, { "mcp-session-id": session });
      const text = await response.text();
      expect(text).toContain('"error"');
      expect(text).not.toMatch(/the secret|root:|failed in the server/);
    }
    await expectService(http.url, session);
  });

  it("D-10 H-02 a file that becomes a link after the list is not followed", async () => {
    const outside = temporaryFolder({ "guide.md": "# Guide\nFirst pages.\n" });
    const { http, root } = await skillWorld();
    const session = await beginSession(http.url);
    await expectService(http.url, session);
    rmSync(join(root, "pdf/references"), { recursive: true });
    symlinkSync(outside, join(root, "pdf/references"));
    const params = { uri: "skill://pdf/references/guide.md" };
    const message = { jsonrpc: "2.0", id: 5, method: "resources/read", params };
    const response = await post(http.url, message, { "mcp-session-id": session });
    expect(await response.text()).toContain("has changed");
  });
});

describe("too much", () => {
  it("H-02 a thousand sessions: most are refused, and who is there stays served", async () => {
    const { http } = await skillWorld();
    const session = await beginSession(http.url);
    const statuses = new Map<number, number>();
    for (let round = 0; round < 20; round++) {
      const answers = Array.from({ length: 50 }, async () => {
        const response = await post(http.url, INITIALIZE);
        await response.text();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      });
      await Promise.all(answers);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 200: 127, 503: 873 });
    expect(http.sessions()).toBe(128);
    await expectService(http.url, session);
  });

  it("H-02 sessions that nobody uses end, and make room before", async () => {
    const limits = { sessions: 2, idleMilliseconds: 60_000, evictableMilliseconds: 0 };
    const { http } = await skillWorld({ limits });
    const first = await beginSession(http.url);
    await beginSession(http.url);
    await beginSession(http.url);
    expect(http.sessions()).toBeLessThanOrEqual(2);
    const gone = await post(http.url, LIST, { "mcp-session-id": first });
    expect(gone.status).toBe(404);
  });

  it("H-02 idle sessions end by themselves", async () => {
    const { http } = await skillWorld({ limits: { idleMilliseconds: 100 } });
    await beginSession(http.url);
    await expect.poll(() => http.sessions()).toBe(0);
  });

  it("H-02 a session does not have more requests under way than it may", async () => {
    const executor = { canRun: () => true, run: () => new Promise<never>(() => {}) };
    const { http } = await skillWorld({ executor, limits: { requestsOfSession: 4 } });
    const session = await beginSession(http.url);
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const call = (id: number) => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: {
        name: "run_skill_script",
        arguments: { skill_name: "pdf", script_file: "join.mjs" },
      },
    });
    const pending = [10, 11, 12, 13].map((id) =>
      fetch(http.url, {
        method: "POST",
        headers: { ...AUTHORIZED, "mcp-session-id": session },
        body: JSON.stringify(call(id)),
        signal: controller.signal,
      }).catch(() => undefined),
    );
    await expect
      .poll(async () => (await post(http.url, call(14), { "mcp-session-id": session })).status)
      .toBe(429);
    controller.abort();
    await Promise.all(pending);
    await expect
      .poll(async () => (await post(http.url, LIST, { "mcp-session-id": session })).status)
      .toBe(200);
  });

  it("H-02 who reads slowly is cut off, and memory stays bounded", async () => {
    // More than the system keeps for a connection.
    const big = "x".repeat(15 * 1024 * 1024);
    const { http } = await skillWorld({
      files: { ...SKILLS, "csv-folder/data.csv": big },
      limits: { stallMilliseconds: 400, allWaitingBytes: 32 * 1024 * 1024 },
    });
    const other = await beginSession(http.url);
    await expectService(http.url, other);
    const session = await beginSession(http.url);
    const before = process.memoryUsage().rss;
    const params = { uri: "skill://csv/data.csv" };
    const sockets = Array.from({ length: 40 }, (_, index) =>
      slowReader(http.port, session, {
        jsonrpc: "2.0",
        id: index,
        method: "resources/read",
        params,
      }),
    );
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    await expect.poll(() => http.sessions()).toBe(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
    await expectService(http.url, other);
  });

  it("H-02 who reads slowly makes room for others long before it is cut off itself", async () => {
    const { http } = await skillWorld({
      files: { ...SKILLS, "csv-folder/data.csv": "x".repeat(15 * 1024 * 1024) },
      limits: { slowMilliseconds: 1500, allWaitingBytes: 1024 * 1024 },
    });
    const other = await beginSession(http.url);
    const session = await beginSession(http.url);
    const params = { uri: "skill://csv/data.csv" };
    const message = { jsonrpc: "2.0", id: 1, method: "resources/read", params };
    const socket = slowReader(http.port, session, message);
    onTestFinished(() => void socket.destroy());
    const status = async () => {
      const response = await post(http.url, LIST, { "mcp-session-id": other });
      await response.text();
      return response.status;
    };
    await expect.poll(status).toBe(503);
    await expect.poll(status).toBe(200);
    expect(http.sessions()).toBe(1);
  });

  it("H-02 bodies that are not finished take no more memory than they may, together", async () => {
    const limits = { allBodyBytes: 2 * 1024 * 1024 };
    const { http } = await skillWorld({ limits });
    const session = await beginSession(http.url);
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(http.port, "127.0.0.1").on("error", () => undefined);
      socket
        .resume()
        .write(
          [
            "POST /mcp HTTP/1.1",
            "Host: localhost",
            `Authorization: Bearer ${TOKEN}`,
            "Content-Type: application/json",
            "Content-Length: 1000000",
            "",
            "x".repeat(900_000),
          ].join("\r\n"),
        );
      onTestFinished(() => void socket.destroy());
      return socket;
    });
    const open = () => sockets.filter((socket) => !socket.closed).length;
    await expect.poll(open).toBeLessThanOrEqual(2);
    await expectService(http.url, session);
  });

  it("H-02 a text that never ends does not keep the server busy", async () => {
    const { http } = await skillWorld();
    const session = await beginSession(http.url);
    // With a look back at each quote it would not answer anybody for hours.
    const body = `"${'\\"'.repeat(1_000_000)}`;
    expect((await post(http.url, body, { "mcp-session-id": session })).status).toBe(400);
    await expectService(http.url, session);
  });

  it("H-02 a head or a body that never ends is given up", async () => {
    const limits = { headMilliseconds: 200, requestMilliseconds: 400 };
    const { http } = await skillWorld({ limits });
    const head = connect(http.port, "127.0.0.1");
    head.write("POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
    const body = connect(http.port, "127.0.0.1");
    body.write(
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    );
    for (const socket of [head, body]) {
      socket.on("error", () => undefined).resume();
      onTestFinished(() => void socket.destroy());
    }
    await expect.poll(() => head.closed && body.closed).toBe(true);
    await expectService(http.url, await beginSession(http.url));
  });
});

/** Asks for something and reads none of it. */
function slowReader(port: number, session: string, message: object): Socket {
  const body = JSON.stringify(message);
  const socket = connect({ port, host: "127.0.0.1" });
  socket.pause();
  socket.on("error", () => undefined);
  socket.write(
    [
      "POST /mcp HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${TOKEN}`,
      `Mcp-Session-Id: ${session}`,
      "Accept: application/json, text/event-stream",
      "Content-Type: application/json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "",
      body,
    ].join("\r\n"),
  );
  return socket;
}

describe("what is asked for", () => {
  it("H-02 a body that is nested too deeply is refused, with a session and without", async () => {
    const { http } = await skillWorld();
    const session = await beginSession(http.url);
    const deep = `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(5000)}1${"}".repeat(5001)}`;
    expect((await post(http.url, deep)).status).toBe(400);
    expect((await post(http.url, deep, { "mcp-session-id": session })).status).toBe(400);
    const text = { ...LIST, params: { cursor: '[{"'.repeat(1000) } };
    expect((await post(http.url, text, { "mcp-session-id": session })).status).toBe(200);
    await expectService(http.url, session);
  });

  it("H-02 an argument of a prompt that is no text is the client's mistake", async () => {
    const { http } = await skillWorld();
    const headers = { "mcp-session-id": await beginSession(http.url) };
    const params = { name: "pdf", arguments: { arguments: 3 } };
    const message = { jsonrpc: "2.0", id: 2, method: "prompts/get", params };
    expect(await (await post(http.url, message, headers)).json()).toMatchObject({
      error: { code: -32_602 },
    });
    const fine = { ...message, params: { ...params, arguments: { arguments: "3" } } };
    expect(await (await post(http.url, fine, headers)).text()).toContain("messages");
  });

  it.each([0, 600])("H-02 no file that looks like a secret, among %d others", async (others) => {
    const more = Array.from({ length: others }, (_, index) => [`pdf/data/${index}.txt`, "x"]);
    const secrets = { "pdf/.env": "TOKEN=hunter2", "pdf/certs/a.key": "hunter2" };
    const files = { ...SKILLS, ...secrets, ...(Object.fromEntries(more) as object) };
    const { http } = await skillWorld({ files });
    const headers = { "mcp-session-id": await beginSession(http.url) };
    const ask = async (method: string, params: object) => {
      const response = await post(http.url, { jsonrpc: "2.0", id: 2, method, params }, headers);
      return response.text();
    };
    const listed = await ask("skills/list", {});
    expect(listed).toContain("skill://pdf/SKILL.md");
    const folder = await ask("resources/directory/read", { uri: "skill://pdf" });
    expect(folder).toContain("references");
    for (const path of [".env", "certs/a.key"]) {
      expect(listed + folder).not.toContain(path);
      expect(await ask("resources/read", { uri: `skill://pdf/${path}` })).toContain("error");
      const input = { skill_name: "pdf", file_path: `./${path}` };
      const call = { name: "read_skill_file", arguments: input };
      expect(await ask("tools/call", call)).toContain("is not served");
    }
    const guide = { skill_name: "pdf", file_path: "references/guide.md" };
    const read = await ask("tools/call", { name: "read_skill_file", arguments: guide });
    expect(read).toContain("First pages.");
  });
});
