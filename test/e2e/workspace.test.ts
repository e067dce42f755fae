import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import config from "../../vitest.config.ts";

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), "utf8");

describe("the workspace", () => {
  it("N-01 a test run fails below 85 % of the lines", () => {
    expect(config.test?.coverage).toMatchObject({ thresholds: { lines: 85 } });
  });

  it("N-01 continuous integration runs the commands that the README gives", () => {
    expect(read(".ci/run")).toMatch(/^npm test$/m);
    expect(read("README.md")).toMatch(/^npm test/m);
  });

  it("N-01 the lockfiles name no download addresses", () => {
    for (const file of ["package-lock.json", "bench/package-lock.json"]) {
      expect(read(file)).not.toMatch(/"resolved": "(?!packages\/)/);
    }
  });
});
