import { expect, it } from "vitest";
import { createWorkspaceTools } from "../../internal/index.ts";
import type { TransportRequest, TransportResponse } from "../index.ts";

type Answer = Partial<Omit<TransportResponse, "body">> & { readonly body?: readonly string[] };

/** A web of made-up answers by URL. */
function network(answers: Readonly<Record<string, Answer>>, timeout = 30) {
  const sent: TransportRequest[] = [];
  let isClosed = false;
  const options = {
    root: "/nowhere",
    trash: "/nowhere",
    enableNetworkRequest: true,
    allowedDomains: ["example.com", "*.example.org", "ports.example.net:8443"],
    networkTimeoutSeconds: timeout,
    maxOutputSizeBytes: 20,
    lookup: async () => [{ address: "93.184.216.34", family: 4 as const }],
    transport: async (request: TransportRequest): Promise<TransportResponse> => {
      sent.push(request);
      const {
        status = 200,
        headers = {},
        body = [],
      } = answers[request.url.href] ?? { status: 404 };
      async function* chunks() {
        try {
          for (const chunk of body) yield Buffer.from(chunk, "latin1");
        } finally {
          isClosed = true;
        }
      }
      return { status, headers, body: chunks() };
    },
  };
  const tool = createWorkspaceTools(options)
    .tools()
    .find(({ name }) => name === "network_request")!;
  return { sent, tool, isClosed: () => isClosed };
}

it("X-10 asks an allowed host at the address that was checked", async () => {
  const answer = { headers: { "content-type": "text/plain" }, body: ["hello ", "you"] };
  const { sent, tool } = network({ "https://example.com/a?b=c": answer });
  const result = await tool.execute({ url: "https://EXAMPLE.com./a?b=c#d" });
  expect(result).toEqual({
    ok: true,
    url: "https://example.com/a?b=c",
    status: 200,
    contentType: "text/plain",
    text: "hello you",
    bytes: 9,
    truncated: false,
  });
  expect(sent[0]).toMatchObject({ method: "GET", address: { address: "93.184.216.34" } });
  expect(tool.toText(result)).toContain("hello you");
});

it("X-10 sends a body with POST and nothing that could be a credential", async () => {
  const { sent, tool } = network({});
  await tool.execute({ url: "https://a.example.org/", method: "post", body: "{}" });
  expect(sent[0]?.body).toBe("{}");
  expect(Object.keys(sent[0]?.headers ?? {}).sort()).toEqual([
    "accept",
    "accept-encoding",
    "content-type",
    "user-agent",
  ]);
});

it("T-09 stops reading at the limit and closes the connection", async () => {
  const { tool, isClosed } = network({
    "https://example.com/": { body: ["x".repeat(15), "y".repeat(15), "z"] },
  });
  const result = await tool.execute({ url: "https://example.com/" });
  expect(result).toMatchObject({ bytes: 20, truncated: true, text: `${"x".repeat(15)}yyyyy` });
  expect(isClosed()).toBe(true);
});

it("T-08 says that an answer is not text", async () => {
  const { tool } = network({
    "https://example.com/bin": { body: ["\xff\x00"] },
    "https://example.com/zip": { body: ["abc"], headers: { "content-encoding": "gzip" } },
  });
  for (const path of ["bin", "zip"]) {
    const result = await tool.execute({ url: `https://example.com/${path}` });
    expect(result).toMatchObject({ ok: true });
    expect(tool.toText(result)).toContain("not text");
  }
});

it("X-10 follows redirections and turns POST into GET where browsers do", async () => {
  const { sent, tool } = network({
    "https://example.com/": { status: 302, headers: { location: "https://a.example.org/x" } },
    "https://a.example.org/x": { status: 301, headers: { location: "/y" } },
    "https://a.example.org/y": { body: ["end"] },
  });
  const result = await tool.execute({ url: "https://example.com/", method: "POST", body: "b" });
  expect(result).toMatchObject({ ok: true, url: "https://a.example.org/y", text: "end" });
  expect(sent.map(({ method, body }) => [method, body])).toEqual([
    ["POST", "b"],
    ["GET", undefined],
    ["GET", undefined],
  ]);
});

it("X-10 gives up on a host that answers too slowly or fails", async () => {
  const { tool } = network({}, 0.02);
  const slow = createWorkspaceTools({
    root: "/nowhere",
    trash: "/nowhere",
    enableNetworkRequest: true,
    allowedDomains: ["example.com"],
    networkTimeoutSeconds: 0.02,
    lookup: async () => new Promise(() => undefined),
  })
    .tools()
    .find(({ name }) => name === tool.name)!;
  const input = { url: "https://example.com/" };
  expect(await slow.execute(input)).toMatchObject({ code: "network-timeout" });
  const aborted = new AbortController();
  const call = slow.execute(input, { signal: aborted.signal });
  aborted.abort();
  expect(await call).toMatchObject({ code: "aborted" });
});

it.each([
  ["DELETE", undefined],
  ["GET", "body"],
])("X-10 refuses %s with the body %s", async (method, body) => {
  const { sent, tool } = network({});
  const result = await tool.execute({ url: "https://example.com/", method, body });
  expect(result).toMatchObject({ ok: false, code: "input-invalid" });
  expect(sent).toEqual([]);
});
