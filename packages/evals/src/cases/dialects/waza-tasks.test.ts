import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { findWazaTasks, isTaskPath } from "../index.ts";

describe("findWazaTasks", () => {
  it("E-01 says what it leaves out, and from where on", () => {
    const folder = temporaryFolder({ "a.yaml": "", "b/c.yml": "", "d.yaml": "", "e.txt": "" });
    expect(findWazaTasks(folder, 2)).toEqual({
      files: ["a.yaml", "b/c.yml"],
      left: [{ path: "d.yaml", why: expect.stringContaining("1 are left out") as string }],
      links: [],
    });
  });

  it("E-01 a folder that is not there is told", () => {
    expect(findWazaTasks("/nowhere/at/all").left).toMatchObject([{ path: "/nowhere/at/all" }]);
  });
});

describe("isTaskPath", () => {
  it.each<[string, string, boolean]>([
    ["tasks/*.yaml", "tasks/a.yaml", true],
    ["./tasks/*.yaml", "tasks/a.yaml", true],
    ["tasks/*.yaml", "tasks/old/a.yaml", false],
    ["tasks/**/*.yaml", "tasks/a.yaml", true],
    ["tasks/**/**/*.yaml", "tasks/x/y/a.yaml", true],
    ["**/*.yaml", "a.yaml", true],
    ["*.yaml", "tasks/a.yaml", false],
    ["../*.yaml", "a.yaml", false],
    ["", "a.yaml", false],
  ])("E-01 %s and %s: %s", (pattern, path, expected) => {
    expect(isTaskPath(pattern, path)).toBe(expected);
  });

  it("E-01 no pattern takes long", () => {
    expect(isTaskPath(`${"**/*a".repeat(2000)}b`, `${"a/".repeat(5)}a`)).toBe(false);
    expect(isTaskPath("*a".repeat(5000), "a".repeat(255))).toBe(false);
  });
});
