import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createBubblewrapExecutor } from "../internal/index.ts";
import {
  afterRun,
  createRunner,
  missingModule,
  type RunEnd,
  RunQueue,
  type Sandbox,
} from "./index.ts";

const END: RunEnd = {
  ok: true,
  unenforced: [],
  end: {
    exitCode: 0,
    signal: null,
    timedOut: false,
    canceled: false,
    stdout: { text: "did it\n", truncated: false },
    stderr: { text: "", truncated: false },
  },
};
const diskFull = () => {
  throw Object.assign(new Error("ENOSPC: no space left on device"), { syscall: "write" });
};

/** A runner for one command, in a sandbox that does as it is told. */
function runIn(run: () => Promise<RunEnd>) {
  const sandbox: Sandbox = {
    name: "process",
    probe: () => Promise.resolve({ ok: true }),
    places: () => ({ home: "/h", temporary: "/t" }),
    run,
  };
  const work = join(temporaryFolder({ "work/.keep": "" }), "work");
  return createRunner(sandbox, {}).run({ argv: ["true"], cwd: work });
}

describe("a disk that is full", () => {
  it("X-04 before anything ran: the receipt says that the run could not be prepared", async () => {
    const receipt = await runIn(async () => diskFull());
    expect(receipt).toMatchObject({ ok: false, exitCode: null, command: [], stdout: "" });
    expect(receipt.failure?.message).toContain("could not be prepared");
  });

  it("X-04 once something ran: the receipt says so, with what it printed", async () => {
    const receipt = await runIn(async () => {
      const failure = await afterRun(diskFull);
      return failure === undefined ? END : { ...END, failure };
    });
    expect(receipt).toMatchObject({ ok: false, exitCode: 0, stdout: "did it\n" });
    expect(receipt.command).toHaveLength(1);
    expect(receipt.failure?.code).toBe("run-failed");
    expect(receipt.failure?.message).toContain("it ran");
    expect(receipt.failure?.message).not.toContain("prepared");
  });

  it("X-04 a bug after a run is thrown", async () => {
    await expect(afterRun(() => Promise.reject(new Error("a bug")))).rejects.toThrow("a bug");
  });

  it.skipIf(process.platform !== "linux")(
    "X-06 a sandbox that cannot be tried is a failure, and tried again",
    async () => {
      const temporaryDirectory = join(temporaryFolder({}), "nowhere");
      const executor = createBubblewrapExecutor({ temporaryDirectory });
      const failure = { ok: false, code: "run-failed" };
      expect(await executor.probe()).toMatchObject(failure);
      expect(await executor.run({ argv: ["true"], cwd: "fresh" })).toMatchObject({ failure });
    },
  );
});

it("X-05 runs at most so many at once, all of them, in order", async () => {
  const queue = new RunQueue(3);
  let running = 0;
  let most = 0;
  const started: number[] = [];
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      queue.run(async () => {
        started.push(i);
        most = Math.max(most, ++running);
        await setTimeout(1);
        running--;
        return i;
      }),
    ),
  );
  expect(most).toBe(3);
  expect(started).toEqual(results);
});

it("X-05 a canceled turn is never taken, and holds up nobody", async () => {
  const queue = new RunQueue(1);
  const controller = new AbortController();
  let release = () => {};
  const first = queue.run(
    () => new Promise<string>((resolve) => (release = () => resolve("first"))),
  );
  const canceled = queue.run(() => Promise.reject(new Error("ran")), controller.signal);
  const last = queue.run(() => Promise.resolve("last"));
  controller.abort();
  expect(await canceled).toBeUndefined();
  expect(await queue.run(() => Promise.resolve(1), controller.signal)).toBeUndefined();
  release();
  expect(await Promise.all([first, last])).toEqual(["first", "last"]);
});

it("X-05 a failure gives its turn to the next", async () => {
  const queue = new RunQueue(1);
  const failed = queue.run(() => Promise.reject(new Error("no")));
  const next = queue.run(() => Promise.resolve("next"));
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("next");
});

const python = (name: string) =>
  `Traceback (most recent call last):\nModuleNotFoundError: No module named '${name}'\n`;

it("X-03 names a missing Python module and the package that has it", () => {
  expect(missingModule("python3", python("yaml"), false)).toMatchObject({
    code: "module-missing",
    message: expect.stringContaining('"yaml"'),
    hint: expect.stringContaining("pip install PyYAML"),
  });
  expect(missingModule("python3", python("a.b"), true)?.hint).toContain('"pip install a"');
  expect(missingModule("python3", python("a.b"), true)?.message).toContain(
    '"a.b", which the installed version of a does not have',
  );
  expect(missingModule("python3", python("toString"), true)?.hint).toContain(
    "pip install toString",
  );
});

it("X-03 does not recommend to install what belongs to the skill", () => {
  const files = new Set(["SKILL.md", "scripts/run.py", "tool.py"]);
  for (const name of ["scripts.utils", "tool"]) {
    const failure = missingModule("python3", python(name), false, files);
    expect(failure?.message).toContain(`"${name}" from its skill's own package`);
    expect(failure?.hint).not.toContain("pip");
  }
  expect(missingModule("python3", python("yaml"), false, files)?.hint).toContain("pip install");
});

it("X-03 names a missing package of Node", () => {
  const error =
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from /skill/a.mjs";
  expect(missingModule("node", error, false)?.message).toContain('"zod"');
  expect(missingModule("node", "Cannot find module './x.js'", false)).toBeUndefined();
});

it("X-03 keeps quiet about other errors", () => {
  expect(missingModule("python3", "ValueError: no", false)).toBeUndefined();
  expect(missingModule("bash", python("yaml"), false)).toBeUndefined();
});
