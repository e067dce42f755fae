import { expect, it } from "vitest";
import { englishWords, toSimplified } from "./index.ts";

it("D-08 knows the simplified form of traditional characters", () => {
  expect(toSimplified("測試資料庫的邏輯 ok")).toBe("测试资料库的逻辑 ok");
});

it("D-08 takes the longest word it knows", () => {
  expect(englishWords("查询数据库 abc 文件夹")).toEqual(["query", "database", "folder"]);
  expect(englishWords("constructor 嗯嗯")).toEqual([]);
});
