import { describe, expect, it } from "vitest";
import { createCodeExecutor, receiptText } from "../index.ts";
import { executionFailure, refusedReceipt } from "./index.ts";

const request = {
  skill: { name: "pdf", path: "/nowhere" },
  script: "a.py",
  args: [],
  cwd: "fresh",
};

describe("receiptText", () => {
  it("X-04 of a failed script gives both outputs, and no word twice", async () => {
    const outputs = { stdout: "3 of 4 done\n", stderr: "a warning\n", exitCode: 1 };
    const receipt = await createCodeExecutor({ "pdf/scripts/a.py": () => outputs }).run(request);
    expect(receiptText(receipt)).toBe(
      "scripts/a.py ended with exit code 1\nstderr:\na warning\nstdout:\n3 of 4 done",
    );
  });

  it("X-04 says the exit code where the message does not, and none where nothing ran", () => {
    const failure = executionFailure("timed-out", "a.py was ended", "Give it less to do.");
    expect(receiptText(refusedReceipt("code", failure, { exitCode: 143 }))).toBe(
      "a.py was ended (exit code 143)\nGive it less to do.",
    );
    expect(receiptText(refusedReceipt("code", failure))).toBe(
      "a.py was ended\nGive it less to do.",
    );
  });
});
