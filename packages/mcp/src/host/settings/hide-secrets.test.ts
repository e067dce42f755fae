import { describe, expect, it } from "vitest";
import { hideSecrets, hideSecretsIn, hideSecretsInBytes } from "./hide-secrets.ts";

describe("hideSecrets", () => {
  it("P-04 takes out the longest, once, whatever is in it", () => {
    expect(hideSecrets("a(b)c+d-efgh!", ["c+d-efgh", "a(b)c+d-efgh"])).toBe("[redacted]!");
    expect(hideSecrets("pass-1234-word", ["pass-1234-word", "redacted"])).toBe("[redacted]");
  });

  it("P-04 short values go where they stand alone, not out of other words", () => {
    expect(hideSecrets("db1 db12 xdb1 (db1)", ["db1"])).toBe("[redacted] db12 xdb1 ([redacted])");
  });

  it("P-04 reaches all texts of a value, and leaves the rest", () => {
    const value = { "my-secret-1": [1, null, { a: "x my-secret-1" }], b: true };
    expect(hideSecretsIn(value, ["my-secret-1"])).toEqual({
      "[redacted]": [1, null, { a: "x [redacted]" }],
      b: true,
    });
  });

  it("P-04 reaches texts in bytes that are none, and leaves the other bytes", () => {
    const bytes = Buffer.concat([
      Buffer.from([0xff, 0]),
      Buffer.from("pässword-1"),
      Buffer.from([0xfe]),
    ]);
    const rest = Buffer.concat([
      Buffer.from([0xff, 0]),
      Buffer.from("[redacted]"),
      Buffer.from([0xfe]),
    ]);
    expect(Buffer.from(hideSecretsInBytes(bytes, ["pässword-1"]))).toEqual(rest);
    expect(hideSecretsInBytes(bytes, ["other-secret"])).toBe(bytes);
  });
});
