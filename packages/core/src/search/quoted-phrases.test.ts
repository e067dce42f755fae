import { expect, it } from "vitest";
import { quotedPhrases } from "./index.ts";

it.each([
  [
    `Triggers: "merge pdfs", 'split it' and \`join pages\``,
    ["merge pdfs", "split it", "join pages"],
  ],
  ["当用户说“合并文件”或「拆分」时", ["合并文件", "拆分"]],
  ["The user's file isn't 'quoted", []],
  ["", []],
])("D-08 finds the phrases of %j", (text, phrases) => {
  expect(quotedPhrases(text)).toBe(phrases.join("\n"));
});
