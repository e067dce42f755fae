import { describe, expect, it } from "vitest";
import { renewal } from "./index.ts";

describe("renewal", () => {
  it("H-02 R-12 who asks during a renewal waits for it, and looks again", async () => {
    let changes = 1;
    let renewed = 0;
    const renew = renewal(
      async () => changes-- > 0,
      async () => {
        await Promise.resolve();
        renewed++;
      },
    );
    const first = renew();
    const second = renew();
    await second;
    expect(renewed).toBe(1);
    await first;
    changes = 1;
    await renew();
    expect(renewed).toBe(2);
  });

  it("H-02 R-12 one that failed is made up for before the next answer", async () => {
    let looks = 0;
    let attempts = 0;
    const renew = renewal(
      async () => looks++ === 0,
      async () => {
        if (attempts++ === 0) throw new Error("the disk");
      },
    );
    await expect(renew()).rejects.toThrow("the disk");
    await renew();
    expect(attempts).toBe(2);
    await renew();
    expect(attempts).toBe(2);
  });
});
