import { describe, expect, it } from "vitest";
import { TailLog } from "../index.ts";

describe("TailLog", () => {
  it("H-02 keeps the end of what was said, and no more", () => {
    const log = new TailLog(10);
    log.add(Buffer.from("x".repeat(1000)));
    for (let i = 0; i < 2000; i++) log.add(Buffer.from(`${i}\n`));
    expect(log.text()).toBe("1998\n1999\n");
  });
});
