import { describe, expect, it } from "vitest";
import { showEvidence } from "../index.ts";

describe("showEvidence", () => {
  it("K-02 shows what cannot be seen, and is never long", () => {
    expect(showEvidence("  a\tb\u202Ec\u0007d\u200b  ")).toBe("a b\\u{202e}c\\u{7}d\\u{200b}");
    expect(showEvidence("\u{E0041}")).toBe("\\u{e0041}");
    const long = showEvidence("ab ".repeat(1000));
    expect(long).toHaveLength(159);
    expect(long.endsWith("…")).toBe(true);
    expect(showEvidence("😀".repeat(500)).length).toBeLessThanOrEqual(160);
  });

  it("K-02 leaves secrets out", () => {
    const secrets = [
      `sk-${"a1".repeat(12)}`,
      `ghp_${"b2".repeat(18)}`,
      "AKIAIOSFODNN7EXAMPLE",
      "password = hunter2hunter2",
    ];
    for (const secret of secrets) expect(showEvidence(`key: ${secret};`)).toContain("[redacted]");
    expect(showEvidence("https://user:s3cr3t@host.example/")).toBe(
      "https://user:[redacted]@host.example/",
    );
  });
});
