import fc from "fast-check";
import { expect, it } from "vitest";
import { isAllowedBy, parseDomainRule, plainHost } from "../index.ts";

it.each([
  ["example.com", { host: "example.com", isBelow: false }],
  [" EXAMPLE.com. ", { host: "example.com", isBelow: false }],
  ["*.example.com", { host: "example.com", isBelow: true }],
  ["*.Example.com:8443", { host: "example.com", isBelow: true, port: 8443 }],
  ["bücher.example", { host: "xn--bcher-kva.example", isBelow: false }],
  ["93.184.216.34", { host: "93.184.216.34", isBelow: false }],
  ["[2606:4700::1111]:443", { host: "2606:4700::1111", isBelow: false, port: 443 }],
])("X-06 %s is a rule", (text, rule) => {
  expect(parseDomainRule(text)).toEqual(rule);
});

it.each([
  ["", "*", "*.com", "*.", "**.example.com", "a.*.com", "ex*mple.com", "https://example.com"],
  ["example.com/path", "user@example.com", "example.com:0", "example.com:70000", "example.com:"],
  ["example.com:https", "::1", "[::1", "[fe80::1%25eth0]", "*.127.0.0.1", "*.[::1]", "a b.com"],
  ["ex%61mple.com", "example..com", ".example.com", "example.com?x", "example.com#x", "a\\b.com"],
])("X-06 these are no rules", (...texts) => {
  expect(texts.filter((text) => parseDomainRule(text) !== undefined)).toEqual([]);
});

it("X-06 a rule covers its own host and the ports of the web", () => {
  const allows = (rule: string, host: string, port: number) =>
    isAllowedBy(parseDomainRule(rule)!, { host, port });
  expect([80, 443, 22, 8080].map((port) => allows("example.com", "example.com", port))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(allows("example.com:22", "example.com", 22)).toBe(true);
  expect(allows("example.com:22", "example.com", 443)).toBe(false);
  const hosts = ["a.example.com", "b.a.example.com", "example.com", "evil-example.com"];
  expect(hosts.map((host) => allows("*.example.com", host, 443))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(hosts.map((host) => allows("example.com", host, 443))).toEqual([
    false,
    false,
    true,
    false,
  ]);
});

it("X-06 an address has one form however it is written", () => {
  const forms = ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.1."];
  expect(forms.map((form) => plainHost(form))).toEqual(forms.map(() => "127.0.0.1"));
  expect(plainHost("[::FFFF:127.0.0.1]")).toBe("::ffff:7f00:1");
});

it("X-06 the plain form of a host is its own plain form", () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.ipV4Extended(), fc.string()), (text) => {
      const plain = plainHost(text);
      if (plain === undefined) return;
      expect(plainHost(plain.includes(":") ? `[${plain}]` : plain)).toBe(plain);
    }),
  );
});

it("X-06 nothing but what is below a domain passes its wildcard", () => {
  fc.assert(
    fc.property(fc.domain(), fc.domain(), (domain, other) => {
      const rule = parseDomainRule(`*.${domain}`);
      const host = plainHost(other);
      if (rule === undefined || host === undefined) return;
      const labels = host.split(".");
      const isBelow = labels.some((_, i) => i > 0 && labels.slice(i).join(".") === rule.host);
      expect(isAllowedBy(rule, { host, port: 443 })).toBe(isBelow);
      expect(isAllowedBy(rule, { host: `x.${rule.host}`, port: 443 })).toBe(true);
      expect(isAllowedBy(rule, { host: `x${rule.host}`, port: 443 })).toBe(false);
    }),
  );
});
