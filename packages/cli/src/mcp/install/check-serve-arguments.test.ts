import { describe, expect, it } from "vitest";
import { checkServeArguments } from "../index.ts";

const check = (args: readonly string[]) => () => checkServeArguments(args, { env: {} });

describe("checkServeArguments", () => {
  it.each([
    [[]],
    [["--no-scripts"]],
    [["--root", "./skills", "--root=b", "--sandbox", "none"]],
    [["--trust", "--yes=run_script", "--quiet"]],
  ])("H-02 takes %j", (args) => {
    expect(check(args)).not.toThrow();
  });

  it.each([
    [["--htttp"], "--htttp"],
    [["--http"], "--http"],
    [["--http", "--port", "7333"], "--http"],
    [["--port", "7333"], "--port"],
    [["--root"], "--root"],
    [["--sandbox", "paper"], "paper"],
    [["skills"], "too many arguments"],
    [["check"], "only options"],
    [["install", "cursor"], "only options"],
    [["--help"], "only options"],
    [["--version"], "only options"],
    [["--yes=*"], "*"],
  ])("H-02 C-01 refuses %j", (args, named) => {
    const message = expect.stringContaining(named);
    expect(check(args)).toThrow(expect.objectContaining({ kind: "usage", message }));
  });
});
