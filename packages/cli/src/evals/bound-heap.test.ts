import { describe, expect, it } from "vitest";
import { boundHeap } from "./index.ts";

const MEBIBYTE = 1024 * 1024;

describe("boundHeap", () => {
  it("E-02 what trials left behind is collected once there is much of it", () => {
    const collectIfMuch = boundHeap();
    let left: unknown[] = Array.from({ length: 2_000_000 }, (_, i) => ({ i }));
    expect(left).toHaveLength(2_000_000);
    left = [];
    const before = process.memoryUsage().heapUsed;
    for (let trial = 0; trial < 32; trial++) collectIfMuch();
    expect(before - process.memoryUsage().heapUsed).toBeGreaterThan(40 * MEBIBYTE);
  });
});
