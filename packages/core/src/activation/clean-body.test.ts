import { describe, expect, it } from "vitest";
import { cleanBody, escapeFrame } from "./clean-body.ts";

describe("cleanBody", () => {
  it.each(["\u200b", "\u00ad", "\u061c", "\u3164", "\ufe0f", "\u200d", "\u034f", " "])(
    "F-06 %j does not hide the end of a frame",
    (unseen) => {
      expect(cleanBody(`<${unseen}/skill_content>`)).toMatch(/^&lt;/);
      expect(escapeFrame(`</skill${unseen.trim()}_content>`)).toMatch(/^&lt;/);
    },
  );

  it("F-06 takes out blanks that nobody sees, and leaves emoji", () => {
    expect(cleanBody("a\u3164b\ufe01c\u115fd")).toBe("abcd");
    expect(cleanBody("❤️ 👩‍💻 1️⃣")).toBe("❤️ 👩‍💻 1️⃣");
  });
});
