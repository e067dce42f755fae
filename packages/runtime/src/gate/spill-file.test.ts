import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SpillFile } from "./index.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "skillwright-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

it("X-05 takes output up to its cap, and then no more", () => {
  const directory = folder();
  const file = new SpillFile(join(directory, "out.txt"), 10);
  for (const text of ["1234567", "89abc", "d"]) file.write(text);
  file.close();
  expect(readFileSync(join(directory, "out.txt"), "utf8")).toBe("123456789a");
});

it("X-05 makes no file for no output", () => {
  const directory = folder();
  new SpillFile(join(directory, "out.txt")).close();
  expect(existsSync(join(directory, "out.txt"))).toBe(false);
});

it("X-05 writes neither through a link nor over a file", () => {
  const directory = folder();
  symlinkSync(join(directory, "target"), join(directory, "out.txt"));
  const file = new SpillFile(join(directory, "out.txt"));
  file.write("evil");
  expect(existsSync(join(directory, "target"))).toBe(false);
});
