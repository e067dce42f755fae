import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { continueCommand, shellWord } from "./index.ts";

function wordsOf(command: string): string[] {
  const printed = execFileSync("sh", ["-c", `printf '%s\\0' ${command}`], { encoding: "utf8" });
  return printed.split("\0").slice(0, -1);
}

it("P-02 names everything that the run was started with", () => {
  const options = {
    root: ["own skills", "b"],
    source: "user",
    config: "it's.json",
    cwd: "$HOME",
    trust: true,
    model: "mock:k.json",
    sandbox: "none",
    yes: ["run_script", "write_file"],
    writable: ["out", "a b"],
  };
  const command = continueCommand({ runId: "run-1", approve: "id" }, options).join(" ");
  expect(wordsOf(command)).toEqual([
    "skillwright",
    "runs",
    "resume",
    "run-1",
    "--approve",
    "id",
    "--cwd",
    "$HOME",
    "--config",
    "it's.json",
    "--root",
    "own skills",
    "--root",
    "b",
    "--source",
    "user",
    "--trust",
    "--model",
    "mock:k.json",
    "--sandbox",
    "none",
    "--writable",
    "out",
    "--writable",
    "a b",
    "--yes=run_script,write_file",
  ]);
  expect(continueCommand({ runId: "run-1" }, {})).toEqual(["skillwright runs resume run-1"]);
});

it("X-02 a shell reads each word as it was given", () => {
  const text = fc.string({ unit: "grapheme-ascii" });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (words) => {
      expect(wordsOf(words.map(shellWord).join(" "))).toEqual(words);
    }),
    { numRuns: 30 },
  );
});
