import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { parseDomainRule, startNetworkProxy, wildcardOverStrangers } from "../index.ts";

/** A proxy to a server that tells what it was asked; `good.test` leads to it. */
async function start(domains: readonly string[] = ["good.test:PORT"], networkBytes?: number) {
  const seen: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      seen.push({ url: request.url ?? "", headers: request.headers, body });
      response.setHeader("connection", "close, x-hop");
      response.setHeader("x-hop", "1");
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      response.end("answer");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const path = join(temporaryFolder(), "proxy.sock");
  const rules = domains.map((text) => parseDomainRule(text.replace("PORT", String(port)))!);
  const proxy = await startNetworkProxy(path, rules, {
    lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    isPublic: () => true,
    ...(networkBytes !== undefined && { networkBytes }),
  });
  onTestFinished(() => proxy.close());
  const ask = async (text: string) => {
    const socket = connect(path);
    let answer = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => (answer += chunk));
    socket.on("error", () => {});
    socket.write(text.replaceAll("PORT", String(port)));
    await once(socket, "close");
    return answer;
  };
  return { ask, port, path, proxy, seen };
}

it("X-06 the absolute address decides, and what is between neighbours stays there", async () => {
  const { ask, port, seen } = await start();
  const answer = await ask(
    [
      "POST http://GOOD.test:PORT/a?b=c HTTP/1.1",
      "Host: evil.test",
      "Connection: close, X-Secret, Content-Length",
      "X-Secret: 1",
      "X-Kept: 2",
      "Proxy-Authorization: Basic eDp5",
      "Proxy-Connection: keep-alive",
      "Upgrade: websocket",
      "TE: trailers",
      "Content-Length: 4",
      "",
      "body",
    ].join("\r\n"),
  );
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({ url: "/a?b=c", body: "body" });
  expect(seen[0]?.headers).toEqual({
    host: `good.test:${port}`,
    connection: "close",
    "content-length": "4",
    "x-kept": "2",
  });
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toMatch(/set-cookie: a=1\r\nset-cookie: b=2\r\n/);
  expect(answer).not.toMatch(/x-hop/i);
});

it("X-06 sends a body of unknown length on", async () => {
  const { ask, seen } = await start();
  const head = "PUT http://good.test:PORT/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
  await ask(`${head}Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n`);
  expect(seen[0]).toMatchObject({ body: "body", headers: { "transfer-encoding": "chunked" } });
});

it.each([
  ["both lengths", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"],
  ["two lengths", "Content-Length: 4\r\nContent-Length: 5\r\n\r\nbody"],
  ["a head without end", `X: ${"x".repeat(20_000)}\r\n\r\n`],
  ["a broken header", "X : y\r\n\r\n"],
])("X-06 refuses %s", async (_name, rest) => {
  const { ask, seen } = await start();
  const answer = await ask(`POST http://good.test:PORT/ HTTP/1.1\r\nHost: x\r\n${rest}`);
  expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
  expect(seen).toEqual([]);
});

it.each([
  ["GET / HTTP/1.1", 400],
  ["GET https://good.test:PORT/ HTTP/1.1", 400],
  ["GET http://good.test:PORT@evil.test/ HTTP/1.1", 400],
  ["GET ftp://good.test:PORT/ HTTP/1.1", 400],
  ["GET //good.test:PORT/ HTTP/1.1", 400],
  ["OPTIONS * HTTP/1.1", 400],
  ["GET http://evil.test:PORT/ HTTP/1.1", 403],
  ["CONNECT evil.test:PORT HTTP/1.1", 403],
  ["CONNECT good.test:22 HTTP/1.1", 403],
  ["CONNECT good.test HTTP/1.1", 400],
])("X-06 answers %s with %d", async (line, status) => {
  const { ask, proxy, seen } = await start();
  const answer = await ask(`${line}\r\nHost: good.test:PORT\r\nConnection: close\r\n\r\n`);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(seen).toEqual([]);
  expect(proxy.uses().map(({ allowed }) => allowed)).toEqual([false]);
});

it("X-06 a tunnel carries bytes both ways and knows nothing of them", async () => {
  const { ask, port, proxy } = await start();
  const answer = await ask(
    "CONNECT good.test:PORT HTTP/1.1\r\nHost: evil.test\r\n\r\nGET /in HTTP/1.1\r\nHost: inner\r\nConnection: close\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 Connection established\r\n\r\nHTTP\/1\.1 200 OK/);
  expect(proxy.uses()).toEqual([{ host: "good.test", port, allowed: true }]);
});

it("X-06 says so when a server does not answer", async () => {
  const closed = createTcpServer().listen(0, "127.0.0.1");
  await once(closed, "listening");
  const { port } = closed.address() as AddressInfo;
  closed.close();
  const { ask } = await start([`good.test:${port}`]);
  const rest = "HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  expect(await ask(`CONNECT good.test:${port} ${rest}`)).toMatch(/^HTTP\/1\.1 502 /);
  expect(await ask(`GET http://good.test:${port}/ ${rest}`)).toMatch(/^HTTP\/1\.1 502 /);
});

it("X-06 lets nobody reach more places than it can name, and names all that were reached", async () => {
  const { ask, proxy, seen } = await start(["*.good.test:PORT"]);
  const rest = "HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  for (let i = 0; i < 105; i++) await ask(`GET http://a${i}.good.test:PORT/ ${rest}`);
  for (let i = 0; i < 105; i++) await ask(`GET http://b${i}.evil.test:PORT/ ${rest}`);
  const allowed = proxy.uses().filter((use) => use.allowed);
  expect(seen).toHaveLength(100);
  expect(allowed).toHaveLength(100);
  expect(new Set(seen.map(({ headers }) => headers.host?.split(":")[0]))).toEqual(
    new Set(allowed.map(({ host }) => host)),
  );
  expect(proxy.uses()).toHaveLength(200);
});

it("X-06 holds only so many connections at once, and none after the end", async () => {
  const { path, proxy, ask } = await start();
  const sockets = Array.from({ length: 80 }, () => connect(path).on("error", () => {}));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  for (const socket of sockets) socket.resume();
  await expect.poll(() => sockets.filter(({ closed }) => closed)).toHaveLength(16);
  proxy.close();
  await Promise.all(sockets.filter(({ closed }) => !closed).map((socket) => once(socket, "close")));
  expect(existsSync(path)).toBe(false);
  expect(await ask("CONNECT good.test:PORT HTTP/1.1\r\n\r\n").catch(() => "")).toBe("");
});

/** The first bytes of a real TLS client, which names this server. */
async function clientHello(servername: string): Promise<Buffer> {
  const server = createTcpServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connectTls({ host: "127.0.0.1", port, servername });
  client.on("error", () => {});
  const [socket] = (await once(server, "connection")) as [Socket];
  const [hello] = (await once(socket, "data")) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return hello;
}

/** What comes out of a tunnel to good.test, in pieces of any size. */
async function throughTunnel(bytes: Buffer, size = bytes.length) {
  const received: Buffer[] = [];
  const server = createTcpServer((socket) => {
    socket.on("data", (chunk) => received.push(chunk));
    socket.on("end", () => socket.end());
    socket.on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { path, proxy } = await start([`good.test:${port}`]);
  const client = connect(path);
  client.on("error", () => {});
  client.write(`CONNECT good.test:${port} HTTP/1.1\r\n\r\n`);
  await once(client, "data");
  for (let at = 0; at < bytes.length && !client.destroyed; at += size) {
    client.write(bytes.subarray(at, at + size));
  }
  client.end();
  client.resume();
  await once(client, "close");
  return { received: Buffer.concat(received), uses: proxy.uses(), port };
}

it("X-06 a TLS client that names the allowed host goes through, whatever the pieces", async () => {
  const hello = await clientHello("good.test");
  for (const size of [hello.length, 1, 7]) {
    const { received, uses } = await throughTunnel(hello, size);
    expect(received.equals(hello)).toBe(true);
    expect(uses).toMatchObject([{ host: "good.test", allowed: true }]);
  }
});

it("X-06 a TLS client that names another host is refused, and that host is on record", async () => {
  const { received, uses, port } = await throughTunnel(await clientHello("evil.test"));
  expect(received).toHaveLength(0);
  expect(uses).toContainEqual({ host: "evil.test", port, allowed: false });
});

it("X-06 an encrypted hello, one without a name, and one that is broken are refused", async () => {
  const hello = await clientHello("good.test");
  const at = hello.indexOf("good.test") - 9;
  const changed = (offset: number, value: number) => {
    const copy = Buffer.from(hello);
    copy.writeUInt16BE(value, offset);
    return copy;
  };
  expect(hello.readUInt16BE(at)).toBe(0);
  // As ECH, as something unknown, with a list that is too long, and as another handshake message.
  const broken = [
    changed(at, 0xfe0d),
    changed(at, 0xfafa),
    changed(at + 4, 99),
    changed(5, 0x02_00),
  ];
  for (const bytes of broken) {
    const { received, uses, port } = await throughTunnel(bytes);
    expect(received).toHaveLength(0);
    expect(uses).toContainEqual({ host: "good.test", port, allowed: false });
  }
});

it("X-06 a run that has used up its bytes reaches nothing more", async () => {
  const { ask, seen, proxy } = await start(["good.test:PORT"], 1000);
  const request = (body: string) =>
    ask(
      `PUT http://good.test:PORT/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  expect(await request("x".repeat(500))).toMatch(/^HTTP\/1\.1 200 /);
  await request("x".repeat(900));
  expect(await request("")).toMatch(/^HTTP\/1\.1 403 /);
  expect(seen.filter(({ body }) => body === "")).toEqual([]);
  expect(proxy.uses()).toContainEqual(expect.objectContaining({ allowed: false }));
});

it.each([
  ["*.github.io", true],
  ["*.co.uk", true],
  ["*.s3.amazonaws.com", true],
  ["*.example.github.io", false],
  ["*.example.com", false],
  ["github.io", false],
])("X-06 %s covers what strangers register: %s", async (domain, isCovered) => {
  const found = await wildcardOverStrangers([parseDomainRule(domain)!]);
  expect(found).toBe(isCovered ? domain : undefined);
});
