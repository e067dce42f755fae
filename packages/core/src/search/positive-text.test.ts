import { expect, it } from "vitest";
import { positiveText } from "./index.ts";

it.each([
  ["Merges PDFs. Do not use for images. Also splits.", "Merges PDFs. \n. Also splits."],
  ["Merges PDFs. Don’t use with Node.js apps. Splits.", "Merges PDFs. \n. Splits."],
  ["Merges PDFs (not for images (or video) at all) and splits.", "Merges PDFs (\n) and splits."],
  ["Merges PDFs; NOT for images", "Merges PDFs; \n"],
  ["合并文件。不要用于图片。也可以拆分。", "合并文件。\n。也可以拆分。"],
  ["合併檔案。不適用於圖片", "合併檔案。\n"],
  ["Says why, notably for images.", "Says why, notably for images."],
  ["Merges PDFs. Avoid for images. Splits.", "Merges PDFs. \n. Splits."],
  ["Merges PDFs. Avoid using this skill for images.", "Merges PDFs. \n."],
  ["Merges PDFs. Cannot be used for images.", "Merges PDFs. \n."],
  ["Merges PDFs but not images. Splits.", "Merges PDFs \n. Splits."],
  ["Merges PDFs (not images) and splits.", "Merges PDFs (\n) and splits."],
  ["Merges PDFs. Excludes images.", "Merges PDFs. \n."],
  ["合并文件。禁止用于图片。", "合并文件。\n。"],
  ["合并文件，不支持图片。", "合并文件，\n。"],
  ["合并文件。图片处理请勿使用。也可以拆分。", "合并文件。\n。也可以拆分。"],
  ["Files, including but not limited to PDFs.", "Files, including but not limited to PDFs."],
  ["Avoids mistakes in PDFs.", "Avoids mistakes in PDFs."],
  ["", ""],
])("D-08 takes out of %j what a skill is not for", (text, kept) => {
  expect(positiveText(text)).toBe(kept);
});

it("D-08 gives the same answer each time it is asked", () => {
  const text = "Use for A. Not for B.";
  expect(positiveText(text)).toBe(positiveText(text));
});
