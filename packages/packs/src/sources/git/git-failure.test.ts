import { expect, it } from "vitest";
import { gitFailure, type ProgramResult } from "../index.ts";

function failureFor(stderr: string, ended: ProgramResult["ended"] = "exit") {
  return gitFailure("acme/skills", { ended, status: 128, stdout: Buffer.alloc(0), stderr });
}

it.each([
  [
    "fatal: could not read Username for 'https://x': terminal prompts disabled",
    "source-unreachable",
    "credential helper",
  ],
  ["git@x: Permission denied (publickey).", "source-unreachable", "ssh-agent"],
  [
    "remote: Repository not found.\nfatal: repository 'https://x/' not found",
    "source-missing",
    "spelling",
  ],
  ["Host key verification failed.", "source-unreachable", "ssh"],
  [
    "fatal: detected dubious ownership in repository at '/x'",
    "source-unreachable",
    "safe.directory",
  ],
  [
    "fatal: unable to access 'https://x/': Could not resolve host: x",
    "source-unreachable",
    "connection",
  ],
])("K-05 %j is %s with what to do", (stderr, code, hint) => {
  const failure = failureFor(stderr);
  expect(failure.code).toBe(code);
  expect(failure.hint).toContain(hint);
});

it("K-05 what git says is shown without credentials and controls", () => {
  const { message } = failureFor(
    "fatal: unable to access 'https://me:s3c@ret@x/?token=abc': \u001b[31mno\n",
  );
  expect(message).toContain("https://x/");
  expect(message).not.toMatch(/s3c|ret@|abc/);
  expect(message).not.toContain("\u001b");
});

it.each([
  ["canceled", "canceled"],
  ["timeout", "source-unreachable"],
  ["too-much", "limit-exceeded"],
  ["not-started", "program-missing"],
] as const)("K-05 git that ended by %s is %s", (ended, code) => {
  expect(failureFor("", ended).code).toBe(code);
});
