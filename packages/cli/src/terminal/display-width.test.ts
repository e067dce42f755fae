import { describe, expect, it } from "vitest";
import { displayWidth } from "./display-width.ts";

describe("displayWidth", () => {
  it.each([
    ["", 0],
    ["name: pdf", 9],
    ["日本語", 6],
    ["ｆｕｌｌ", 8],
    ["한글", 4],
    ["e\u0301", 1],
    ["👍🏽", 2],
    ["👩‍💻", 2],
    ["❤️", 2],
    ["🇩🇪", 2],
    ["©", 1],
  ])("F-06 %j takes %i columns", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});
