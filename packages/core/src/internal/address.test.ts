import { expect, it } from "vitest";
import { addressReach } from "@skillwright/core/internal/address";

it.each([
  ["93.184.216.34", "public"],
  ["2606:2800:220:1::1", "public"],
  ["::ffff:93.184.216.34", "public"],
  ["127.8.9.1", "loopback"],
  ["::ffff:7f00:1", "loopback"],
  ["10.1.2.3", "private"],
  ["192.175.48.1", "private"],
  ["64:ff9b::a00:1", "private"],
  ["2620:4f:8000::1", "private"],
  ["5f00::1", "private"],
  ["fe80::1%eth0", "link-local"],
  ["169.254.169.254", "link-local"],
  ["fd00:ec2::254", "link-local"],
  ["240.0.0.1", "link-local"],
] as const)("K-05 %s is %s", (address, reach) => {
  expect(addressReach(address)).toBe(reach);
});

it.each(["", "localhost", "127.1", "0x7f.0.0.1", "2130706433"])(
  "K-05 %j is not an address",
  (text) => {
    expect(() => addressReach(text)).toThrow(TypeError);
  },
);
