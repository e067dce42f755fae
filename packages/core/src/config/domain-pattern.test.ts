import { describe, expect, it } from "vitest";
import { coversDomain, DOMAIN } from "./index.ts";

describe("domains", () => {
  it.each([
    "example.com",
    "*.example.com",
    "Example.COM.",
    "example.com:8443",
    "a-b.x1.co",
    "xn--bcher-kva.example",
    "localhost",
    "a.com:65535",
  ])("X-10 %j is one", (domain) => {
    expect(domain).toMatch(DOMAIN);
  });

  it.each([
    "",
    "*",
    "*.",
    "*.com",
    "*.com:80",
    "a.com:0",
    "a.com:65536",
    "a.com:099",
    "a.*.com",
    "*a.com",
    "https://a.com",
    "a.com/path",
    "user@a.com",
    "evil.com?.a.com",
    "evil.com#.a.com",
    "evil.com\\.a.com",
    "evil.com%2e.a.com",
    "evil.com\n.a.com",
    "a.com\n",
    "a..com",
    ".a.com",
    "-a.com",
    "a.com:",
    "a.com:80:90",
    "127.0.0.1",
    "0x7f.1",
    "[::1]",
    "ex\u00e4mple.com",
    "a\u3002com",
  ])("X-10 %j is none", (domain) => {
    expect(domain).not.toMatch(DOMAIN);
  });

  it("X-10 what is accepted means the same host to a parser of addresses", () => {
    for (const domain of ["example.com", "Example.COM", "a-b.x1.co", "xn--bcher-kva.example"]) {
      expect(new URL(`https://${domain}`).hostname).toBe(domain.toLowerCase());
    }
  });

  it.each([
    ["a.com", "a.com", true],
    ["a.com", "A.com.:443", true],
    ["*.a.com", "*.a.com", true],
    ["*.a.com", "x.a.com", true],
    ["*.a.com", "*.x.a.com", true],
    ["*.a.com", "a.com", false],
    ["*.a.com", "xa.com", false],
    ["a.com", "*.a.com", false],
    ["x.a.com", "a.com", false],
    ["a.com", "a.com:80", false],
    ["a.com:443", "a.com", false],
    ["a.com:80", "a.com:80", true],
    ["*.a.com:80", "x.a.com", false],
  ])("R-12 %s covers %s: %s", (outer, inner, covers) => {
    expect(coversDomain(outer, inner)).toBe(covers);
  });
});
