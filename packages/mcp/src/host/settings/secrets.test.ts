import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { hideSecrets, hideSecretsIn, hideSecretsInBytes, secretsIn } from "../index.ts";

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

describe("secretsIn", () => {
  it.each([
    ["tulip-plainpass77xyz", ["tulip-plainpass77xyz"]],
    ["Bearer abc12345", ["Bearer abc12345", "abc12345"]],
    ["hunter2", ["hunter2"]],
    ["postgres://me:s%2Fcret99@db/x", ["postgres://me:s%2Fcret99@db/x", "s%2Fcret99", "s/cret99"]],
    ["/Zm9vYmFyYmF6", ["/Zm9vYmFyYmF6"]],
  ])("P-04 %s is one, with what it is made of", (value, secrets) => {
    expect(secretsIn([value])).toEqual(secrets);
  });

  it.each(["", "1", "true", "docs", "debug", "8080", "production", "https://jira.example/"])(
    "P-04 %j is none: hiding it would hide what a server says",
    (value) => {
      expect(secretsIn([value])).toEqual([]);
    },
  );

  it("P-04 nor is a place on this machine, or a word in a sentence", () => {
    const folder = temporaryFolder();
    expect(secretsIn([folder, join(folder, "new.db")])).toEqual([]);
    expect(secretsIn(["some documents for everybody"])).toEqual(["some documents for everybody"]);
  });
});
