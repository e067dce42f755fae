import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSettled, readUpTo, readRegularFile } from "@skillwright/core/internal";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";

describe("readUpTo", () => {
  it.each([
    [0, 5],
    [0, 200_000],
    [3, 5],
    [5, 5],
    [9, 5],
  ])("P-02 a size of %i does not matter for a file of %i bytes", (expected, size) => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "x".repeat(size));
    for (const limit of [1, 4, 5, 6, 1_000_000]) {
      const descriptor = openSync(file, "r");
      try {
        expect(readUpTo(descriptor, limit, expected)).toHaveLength(Math.min(limit, size));
      } finally {
        closeSync(descriptor);
      }
    }
  });

  it.runIf(process.platform === "linux")("P-02 files that do not tell their size", () => {
    expect(readRegularFile("/proc/self/status").toString()).toMatch(/^Name:[^]*\n$/);
    expect(() => readRegularFile("/proc/self/status", { maxBytes: 10 })).toThrow("larger");
  });
});

describe("openSettled", () => {
  it("P-02 tries again while a file is being replaced, but not for ever", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "x");
    let looks = 0;
    const openedPath = (until: number) => () =>
      ++looks < until ? "/elsewhere" : join(folder, "file");
    const opened = await openSettled(folder, ["file"], { openedPath: openedPath(3) });
    expect(opened).toMatchObject({ ok: true, stats: { size: 1 } });
    if (opened.ok) closeSync(opened.descriptor);
    looks = 0;
    const never = await openSettled(folder, ["file"], { openedPath: openedPath(1000) });
    expect(never).toMatchObject({ ok: false, reason: "changing" });
    expect(looks).toBeLessThan(10);
  });
});
