import { expect, it } from "vitest";
import { checkStep, isLoopbackName, reachOf, webContext } from "../index.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  "public.test": ["93.184.216.34", "2606:2800:220:1::1"],
  "mixed.test": ["93.184.216.34", "10.0.0.1"],
  "inside.test": ["192.168.1.5"],
  "metadata.test": ["169.254.169.254"],
  "scoped.test": ["fe80::1%eth0"],
};
const lookup = async (host: string) => NAMES[host] ?? Promise.reject(new Error("unknown"));

it.each([
  ["93.184.216.34", "public"],
  ["[2606:2800:220:1::1]", "public"],
  ["127.8.9.1", "loopback"],
  ["[::1]", "loopback"],
  ["localhost", "loopback"],
  ["x.localhost.", "loopback"],
  ["[::ffff:127.0.0.1]", "loopback"],
  ["[::ffff:7f00:1]", "loopback"],
  ["10.1.2.3", "private"],
  ["100.64.0.1", "private"],
  ["[fd00::1]", "private"],
  ["[64:ff9b::a00:1]", "private"],
  ["[2002:a00:1::]", "private"],
  ["169.254.169.254", "link-local"],
  ["[fe80::1]", "link-local"],
  ["[fd00:ec2::254]", "link-local"],
  ["0.0.0.0", "link-local"],
  ["[::]", "link-local"],
  ["168.63.129.16", "link-local"],
  ["224.0.0.1", "link-local"],
  ["240.0.0.1", "link-local"],
  ["255.255.255.255", "link-local"],
  ["[ff02::1]", "link-local"],
  ["192.0.2.1", "private"],
  ["198.18.0.1", "private"],
  ["198.51.100.1", "private"],
  ["203.0.113.1", "private"],
  ["[64:ff9b:1::a00:1]", "private"],
  ["[2001::1]", "private"],
  ["[2001:2::1]", "private"],
  ["[2001:db8::1]", "private"],
  ["[3fff::1]", "private"],
  ["[100::1]", "private"],
  ["[fec0::1]", "private"],
  ["[::10.0.0.1]", "private"],
  ["[::ffff:10.0.0.1]", "private"],
  ["[::ffff:169.254.169.254]", "link-local"],
  ["public.test", "public"],
  ["mixed.test", "private"],
  ["metadata.test", "link-local"],
  ["scoped.test", "link-local"],
  ["unknown.test", "public"],
])("K-05 %s is %s", async (host, reach) => {
  expect(await reachOf(host, lookup)).toBe(reach);
});

it("K-05 only this machine is spoken to without encryption", () => {
  expect(["localhost", "127.0.0.1", "[::1]"].every(isLoopbackName)).toBe(true);
  expect(["x.localhost", "127.0.0.1.evil.test", "10.0.0.1", "0.0.0.0"].some(isLoopbackName)).toBe(
    false,
  );
});

it.each([
  ["https://public.test/", "https://other.test/x", true],
  ["https://public.test/", "https://inside.test/x", false],
  ["https://public.test/", "https://mixed.test/x", false],
  ["https://public.test/", "https://10.0.0.1/", false],
  ["https://public.test/", "https://[::1]/", false],
  ["https://public.test/", "https://2130706433/", false],
  ["https://public.test/", "http://public.test/", false],
  ["https://public.test/", "http://127.0.0.1/", false],
  ["https://public.test/", "https://user:pass@public.test/", false],
  ["https://public.test/", "file:///etc/passwd", false],
  ["https://public.test/", "data:text/plain,x", false],
  ["https://inside.test/", "https://10.0.0.1/", true],
  ["https://inside.test/", "https://localhost/", false],
  ["https://inside.test/", "https://metadata.test/", false],
  ["http://127.0.0.1:1/", "http://127.0.0.1:2/", true],
  ["http://127.0.0.1:1/", "https://metadata.test/", false],
])("K-05 from %s to %s: %s", async (start, target, isAllowed) => {
  const refused = await checkStep(new URL(target), webContext(start, { lookup }));
  expect(refused === undefined).toBe(isAllowed);
});
