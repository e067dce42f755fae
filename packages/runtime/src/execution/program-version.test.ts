import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { programVersion } from "./program-version.ts";

it("D-04 tells the version of a program of the system, with numbers only", async () => {
  const said = execFileSync("/usr/bin/python3", ["--version"], { encoding: "utf8" });
  expect(said).toContain((await programVersion("python3")) ?? "nothing");
  expect(await programVersion("node")).toBe(process.versions.node);
});

it.each(["no-such-program", "../python3", "/usr/bin/python3", "-c", ""])(
  "D-04 starts nothing for %j",
  async (program) => {
    expect(await programVersion(program)).toBeUndefined();
  },
);
