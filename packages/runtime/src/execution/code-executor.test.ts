import { expect, it } from "vitest";
import { createCodeExecutor } from "../index.ts";
import { receiptText } from "./index.ts";

const executor = createCodeExecutor({
  "pdf/scripts/count.py": ({ args }) => `${args.length}\n`,
  "pdf/scripts/fail.py": () => ({ stderr: "bad input\n", exitCode: 3 }),
  "pdf/scripts/throw.py": () => {
    throw new Error("thrown");
  },
});
const request = (script: string) => ({
  skill: { name: "pdf", path: "/nowhere" },
  script,
  args: ["a", "b"],
  cwd: "/nowhere",
});

it("X-04 exit 0 gives the output", async () => {
  const heard: string[] = [];
  const receipt = await executor.run(request("count.py"), { onOutput: (text) => heard.push(text) });
  expect(receipt).toMatchObject({ ok: true, exitCode: 0, stdout: "2\n", sandbox: "code" });
  expect(receiptText(receipt)).toBe("2\n");
  expect(heard).toEqual(["2\n"]);
});

it("X-04 otherwise the error is wrapped with its exit code", async () => {
  const receipt = await executor.run(request("scripts/fail.py"));
  expect(receipt).toMatchObject({ ok: false, failure: { code: "script-failed" } });
  expect(receiptText(receipt)).toBe("scripts/fail.py ended with exit code 3\nstderr:\nbad input");
  expect(receiptText(await executor.run(request("throw.py")))).toContain("thrown");
});

it("X-02 refuses what the others refuse", async () => {
  const codes = await Promise.all(
    ["../x.py", "nothing.py", "toString"].map((script) => executor.run(request(script))),
  );
  expect(codes.map(({ failure }) => failure?.code)).toEqual([
    "script-outside",
    "script-missing",
    "script-missing",
  ]);
  const aborted = await executor.run(request("count.py"), { signal: AbortSignal.abort() });
  expect(aborted).toMatchObject({ ok: false, canceled: true });
});

it("X-10 runs no commands", async () => {
  const receipt = await executor.run({ argv: ["ls"], cwd: "/nowhere" });
  expect(receipt).toMatchObject({ ok: false, failure: { code: "program-missing" } });
});
