import { expect, it } from "vitest";
import { fullText, shortText } from "./index.ts";

it.each([
  ["Short. Use it.", /^Short\. Use it\.$/],
  [`First one, e.g. this. ${"Second is long ".repeat(20)}.`, /^First one, e\.g\. this\.$/],
  ["No end to this sentence ".repeat(20), /^No end .{60,95}…$/],
  ["处理文档。在需要时使用。".repeat(20), /^(?:处理文档。在需要时使用。)+(?:处理文档。)?$/],
  [`Version 3.2 of it! ${"More words ".repeat(30)}`, /^Version 3\.2 of it!$/],
])("D-01 the short form of %j", (description, expected) => {
  const text = shortText(description);
  expect(text.length).toBeLessThanOrEqual(100);
  expect(text).toMatch(expected);
});

it("D-01 a text is one line without controls, and never half a character", () => {
  expect(fullText(" a\n\n\tb\u0007c\u009b ")).toBe("a b c");
  expect(fullText("😀".repeat(2000))).toMatch(/^(?:😀)+…$/u);
});
