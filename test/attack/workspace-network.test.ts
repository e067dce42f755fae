import { describe, expect, it } from "vitest";
import { createWorkspaceTools } from "../../packages/runtime/src/internal/index.ts";
import {
  isPublicAddress,
  type NetworkAddress,
  type TransportRequest,
  type TransportResponse,
} from "../../packages/runtime/src/workspace/index.ts";

const PUBLIC = "93.184.216.34";

interface Web {
  /** What each look at a name gives, one after the other; the last for ever. */
  readonly names?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly redirects?: Readonly<Record<string, string>>;
  readonly status?: number;
  readonly domains?: readonly string[];
}

/** A tool, and the connections that were made for it. */
function network({ names = {}, redirects = {}, status = 302, domains }: Web = {}) {
  const connections: string[] = [];
  const bodies: (string | undefined)[] = [];
  const looks = new Map<string, number>();
  const lookup = async (host: string): Promise<readonly NetworkAddress[]> => {
    const answers = names[host] ?? [[PUBLIC]];
    const look = looks.get(host) ?? 0;
    looks.set(host, look + 1);
    const addresses = answers[Math.min(look, answers.length - 1)] ?? [];
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  const transport = async (request: TransportRequest): Promise<TransportResponse> => {
    connections.push(`${request.url.host} ${request.address.address}`);
    bodies.push(request.body);
    const location = redirects[request.url.href];
    async function* body() {
      yield Buffer.from("answer");
    }
    return location === undefined
      ? { status: 200, headers: {}, body: body() }
      : { status, headers: { location }, body: body() };
  };
  const tool = createWorkspaceTools({
    root: "/nowhere",
    trash: "/nowhere",
    enableNetworkRequest: true,
    allowedDomains: domains ?? ["good.test", "*.wild.test", "other.test"],
    lookup,
    transport,
  })
    .tools()
    .find(({ name }) => name === "network_request")!;
  const ask = async (url: string, more: object = {}) => {
    const result = (await tool.execute({ url, ...more })) as { ok: boolean; code?: string };
    return result.ok ? "ok" : result.code;
  };
  return { ask, connections, bodies, looks };
}

describe("addresses", () => {
  it.each([
    "127.0.0.1",
    "127.8.8.8",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "240.0.0.1",
    "168.63.129.16",
    "203.0.113.5",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:93.184.216.34",
    "::127.0.0.1",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "64:ff9b:1::a00:1",
    "2001::1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "100::1",
    "",
    "localhost",
    "127.1",
    "0x7f.0.0.1",
    "2130706433",
    "1.2.3.4.5",
  ])("X-10 %s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([PUBLIC, "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"])(
    "X-10 %s is public",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe("what is refused before anything is connected", () => {
  it.each([
    "http://good.test/",
    "ftp://good.test/",
    "file:///etc/passwd",
    "data:text/plain,x",
    "ws://good.test/",
    "javascript:1",
    "good.test",
    "//good.test/",
    "https:///",
    "nonsense",
    "https://user@good.test/",
    "https://user:pass@good.test/",
    "https://@good.test/",
    "https://good.test@evil.test/",
    "https://good.test:8443/",
    "https://good.test:80/",
    "https://evil.test/",
    "https://good.test.evil.test/",
    "https://evilgood.test/",
    "https://wild.test/",
    "https://evilwild.test/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://localhost/",
    "https://169.254.169.254/latest/meta-data/",
    "https://[::ffff:127.0.0.1]/",
    "https://good.test\\@evil.test/",
    "https://good.test/\n",
    " https://good.test/",
    "https://good.test\t/",
    "https://good.test/a b",
    "https://good。test.evil.test/",
    "https://evil.test#good.test",
    "https://evil.test?good.test",
    "https://ɢood.test.evil/",
    `https://good.test/${"x".repeat(5000)}`,
  ])("X-10 %.60s", async (url) => {
    const { ask, connections, looks } = network();
    expect(await ask(url)).toBe("network-refused");
    expect(connections).toEqual([]);
    expect(looks.size).toBe(0);
  });

  it("X-10 everything, when no domain is allowed, and what no domain could be", async () => {
    for (const domains of [[], ["*"], ["*.*"], [""], ["/good.test"], ["https://good.test"]]) {
      const { ask, connections } = network({ domains });
      expect(await ask("https://good.test/")).toBe("network-refused");
      expect(connections).toEqual([]);
    }
  });

  it("X-10 but a name below a wildcard, and a port that is named, are allowed", async () => {
    const { ask, connections } = network({ domains: ["*.wild.test", "good.test:8443"] });
    expect(await ask("https://a.b.wild.test/")).toBe("ok");
    expect(await ask("https://good.test:8443/")).toBe("ok");
    expect(await ask("https://good.test/")).toBe("network-refused");
    expect(connections).toHaveLength(2);
  });
});

describe("names that lead inside", () => {
  it.each([
    ["127.0.0.1"],
    ["169.254.169.254"],
    ["10.0.0.1"],
    ["::1"],
    ["::ffff:10.0.0.1"],
    ["fd00:ec2::254"],
    [PUBLIC, "127.0.0.1"],
    ["2606:4700::1111", "::1"],
  ])("X-10 an allowed name that leads to %s %s is refused", async (...addresses) => {
    const { ask, connections } = network({
      names: { "good.test": [addresses.filter((address) => address !== undefined)] },
    });
    expect(await ask("https://good.test/")).toBe("network-refused");
    expect(connections).toEqual([]);
  });

  it("X-10 a name that changes after the check is not looked at again", async () => {
    const { ask, connections, looks } = network({
      names: { "good.test": [[PUBLIC], ["127.0.0.1"]] },
    });
    expect(await ask("https://good.test/")).toBe("ok");
    expect(connections).toEqual([`good.test ${PUBLIC}`]);
    expect(looks.get("good.test")).toBe(1);
    expect(await ask("https://good.test/")).toBe("network-refused");
    expect(connections).toHaveLength(1);
  });

  it("X-10 a redirection to the same name is checked anew", async () => {
    const { ask, connections } = network({
      names: { "good.test": [[PUBLIC], ["169.254.169.254"]] },
      redirects: { "https://good.test/": "/latest/meta-data/" },
    });
    expect(await ask("https://good.test/")).toBe("network-refused");
    expect(connections).toEqual([`good.test ${PUBLIC}`]);
  });
});

describe("redirections", () => {
  it.each([
    "http://good.test/",
    "https://evil.test/",
    "https://127.0.0.1/",
    "//evil.test/",
    "https://user:pass@good.test/",
    "https://good.test:22/",
    "file:///etc/passwd",
    "https://169.254.169.254/",
    "\\\\evil.test/",
    "https://good.test@evil.test/",
  ])("X-10 one to %s is not followed", async (location) => {
    const { ask, connections } = network({ redirects: { "https://good.test/": location } });
    expect(await ask("https://good.test/")).toBe("network-refused");
    expect(connections).toEqual([`good.test ${PUBLIC}`]);
  });

  it("X-10 one to another allowed name that leads inside is not followed", async () => {
    const { ask, connections } = network({
      names: { "other.test": [["10.0.0.1"]] },
      redirects: { "https://good.test/": "https://other.test/" },
    });
    expect(await ask("https://good.test/")).toBe("network-refused");
    expect(connections).toEqual([`good.test ${PUBLIC}`]);
  });

  it("X-10 they end", async () => {
    const { ask, connections } = network({ redirects: { "https://good.test/": "/" } });
    expect(await ask("https://good.test/")).toBe("network-refused");
    expect(connections).toHaveLength(6);
  });

  it.each([307, 308])("X-10 %i carries no body to another host", async (status) => {
    const redirects = { "https://good.test/": "https://other.test/" };
    const { ask, bodies } = network({ redirects, status });
    expect(await ask("https://good.test/", { method: "POST", body: "secret" })).toBe(
      "network-refused",
    );
    expect(bodies).toEqual(["secret"]);
  });
});

it.each([
  { accept: "x\r\nHost: evil.test" },
  { method: "POST", body: "b", content_type: "a\nb" },
  { method: "CONNECT" },
  { method: "GET\r\nX: y" },
])("X-10 no header or method is smuggled in: %j", async (more) => {
  const { ask, connections } = network();
  expect(await ask("https://good.test/", more)).toBe("input-invalid");
  expect(connections).toEqual([]);
});
