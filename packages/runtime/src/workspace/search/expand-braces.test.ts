import { expect, it } from "vitest";
import { expandBraces } from "../index.ts";

it.each([
  ["*.ts", ["*.ts"]],
  ["*.{ts,tsx}", ["*.ts", "*.tsx"]],
  ["{a,b}/{c,d}", ["a/c", "a/d", "b/c", "b/d"]],
  ["{a}", ["{a}"]],
  ["{a,b,c,d,e,f,g,h,i}".repeat(3), ["{a,b,c,d,e,f,g,h,i}".repeat(3)]],
])("X-10 expands %s", (pattern, patterns) => {
  expect(expandBraces(pattern)).toEqual(patterns);
});
