import { expect, it } from "vitest";
import { canInterpret } from "../index.ts";

it("X-03 tells by the name what could be run", () => {
  expect(["a.py", "scripts/a", "a.TS", "a.mts", "a.bash"].every(canInterpret)).toBe(true);
  expect(["a.md", "a.exe", "a.json", ".gitignore", "a.py.txt"].some(canInterpret)).toBe(false);
});
