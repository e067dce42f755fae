import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import { type RunOptions, runProgram } from "../index.ts";

const sh = { file: "/bin/sh", before: [] };

function options(more: Partial<RunOptions> = {}): RunOptions {
  const env = { PATH: "/usr/bin:/bin" };
  return {
    cwd: temporaryFolder(),
    env,
    timeoutMilliseconds: 30_000,
    maxOutputBytes: 1000,
    ...more,
  };
}

/** One that has ended and that nobody has asked about is no longer alive. */
function isAlive(id: string): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, "utf8"));
  } catch {
    return false;
  }
}

it("K-02 gives input and takes output, with nothing of this environment", async () => {
  const result = await runProgram(sh, ["-c", "cat; env >&2; exit 3"], options({ input: "hello" }));
  expect(result).toMatchObject({ ended: "exit", status: 3 });
  expect(result.stdout.toString()).toBe("hello");
  expect(
    result.stderr.split("\n").filter((line) => !/^(?:PATH|PWD|_|SHLVL|OLDPWD)=|^$/.test(line)),
  ).toEqual([]);
});

it.each<[string, (isRunning: () => boolean) => Partial<RunOptions>]>([
  ["timeout", () => ({ timeoutMilliseconds: 3000 })],
  ["canceled", (isRunning) => ({ signal: abortWhen(isRunning) })],
  ["too-much", (isRunning) => ({ isTooMuch: async () => isRunning() })],
])("K-05 ends with all it started: %s", async (ended, more) => {
  const file = join(temporaryFolder(), "id");
  const script = `trap '' TERM; sleep 1000 & echo $! > ${file}.new; mv ${file}.new ${file}; wait`;
  const result = await runProgram(sh, ["-c", script], options(more(() => existsSync(file))));
  expect(result.ended).toBe(ended);
  const id = readFileSync(file, "utf8").trim();
  await expect.poll(() => isAlive(id)).toBe(false);
});

function abortWhen(isReady: () => boolean): AbortSignal {
  const stop = new AbortController();
  const look = setInterval(() => {
    if (!isReady()) return;
    clearInterval(look);
    stop.abort();
  }, 20);
  return stop.signal;
}

it("K-05 ends when it says too much", async () => {
  const result = await runProgram(sh, ["-c", "yes"], options());
  expect(result.ended).toBe("too-much");
  expect(result.stdout.length).toBeLessThanOrEqual(1000);
});

it("K-05 says that a program cannot be started", async () => {
  const missing = { file: "/nowhere/at-all", before: [] };
  expect((await runProgram(missing, [], options())).ended).toBe("not-started");
});
