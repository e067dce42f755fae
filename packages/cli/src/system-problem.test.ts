import { expect, it } from "vitest";
import { systemProblem } from "./index.ts";

function refused(code: string, path?: string): Error {
  const text = `${code}: as errno says, mkdir${path === undefined ? "" : ` '${path}'`}`;
  return Object.assign(new Error(text), { code, syscall: "mkdir", ...(path && { path }) });
}

it.each([
  ["ENOSPC", undefined, "the disk is full", "make room"],
  ["EROFS", "/p/.agent", "/p/.agent: the file system is read-only", "--cwd"],
  ["EACCES", "/p", "/p: permission denied", "permission"],
])("P-03 says %s in words, with what to do", (code, path, message, hint) => {
  expect(systemProblem(refused(code, path))).toEqual({
    message,
    hint: expect.stringContaining(hint),
  });
});

it("P-03 finds it behind what could not be done", () => {
  const cause = refused("ENOSPC", "/p/x");
  const audit = new Error(`cannot write /p/x: ${cause.message}`, { cause });
  const failure = new Error(audit.message, { cause: audit });
  expect(systemProblem(failure)?.message).toBe("cannot write /p/x: the disk is full");
});

it("P-03 knows nothing of other errors", () => {
  expect(systemProblem(refused("ENOENT", "/p"))).toBeUndefined();
  expect(systemProblem(refused("constructor"))).toBeUndefined();
  const round: Error & { cause?: unknown } = new Error("round");
  round.cause = round;
  expect(systemProblem(round)).toBeUndefined();
});
