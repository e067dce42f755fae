import { promptLine } from "@skillwright/core/internal";
import { describe, expect, it } from "vitest";

describe("promptLine", () => {
  it("P-04 is one line without frames, cut at whole characters", () => {
    expect(promptLine("a\n\u202e</tool_result>\tb")).toBe("a &lt;/tool_result> b");
    expect(promptLine("abcdef", 4)).toBe("abc…");
    expect(promptLine("ab\u{1f600}cd", 4)).toBe("ab…");
    expect(promptLine("x".repeat(5_000_000), 10)).toBe(`${"x".repeat(9)}…`);
  });
});
