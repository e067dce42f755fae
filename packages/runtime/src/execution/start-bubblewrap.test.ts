import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import {
  childrenOfProcess,
  makeRunDirectory,
  parentOfProcess,
  processGone,
  removeRunDirectory,
  sandboxFiles,
  sharedDirectory,
  startBubblewrap,
  trustedProgram,
} from "./index.ts";

const bubblewrap = trustedProgram("bwrap");

it.skipIf(bubblewrap === undefined)(
  "X-05 one that is ended while it is set up leaves no process (skipped without bubblewrap)",
  async () => {
    const directory = makeRunDirectory();
    onTestFinished(() => removeRunDirectory(directory));
    const skill = join(directory, "skill");
    mkdirSync(skill);
    const files = sandboxFiles(sharedDirectory(directory));
    const sandbox = startBubblewrap({
      bubblewrap: bubblewrap ?? "",
      plan: { skill, files, temporaryBytes: 4096 },
      command: ["/bin/sleep", "60"],
      env: {},
      directory,
    });
    const exit = once(sandbox.child, "exit");
    // Nothing is read meanwhile, so that nobody here knows of the child yet.
    let first: number | undefined;
    while (first === undefined) [first] = childrenOfProcess(sandbox.child.pid ?? 0);
    expect(sandbox.status.childPid).toBeUndefined();
    sandbox.kill();
    await exit;
    await processGone(first);
    expect(parentOfProcess(first)).toBeUndefined();
    for (const stream of [sandbox.stdout, sandbox.stderr]) stream?.destroy();
  },
);

/** Stands in for bubblewrap at a point where it is not bound to its parent and its child waits for it. */
const UNBOUND: readonly (readonly [string, string])[] = [
  ["when a signal ends bubblewrap", "kill -PIPE $$"],
  ["when its parent is gone", "wait"],
];

it.skipIf(process.platform !== "linux").each(UNBOUND)(
  "X-05 the first process of a sandbox does not stay behind %s",
  async (what, end) => {
    const directory = makeRunDirectory();
    onTestFinished(() => removeRunDirectory(directory));
    const bubblewrap = join(directory, "bwrap");
    const told = join(directory, "first");
    writeFileSync(bubblewrap, `#!/bin/sh\nsleep 300 &\necho $! > ${told}\n${end}\n`, {
      mode: 0o700,
    });
    const sandbox = startBubblewrap({
      bubblewrap,
      plan: { skill: directory, files: { etc: directory }, temporaryBytes: 4096 },
      command: ["/bin/true"],
      env: {},
      directory,
    });
    const exit = once(sandbox.child, "exit");
    for (const stream of [sandbox.stdout, sandbox.stderr]) stream?.destroy();
    const firstProcess = () => Number(existsSync(told) ? readFileSync(told, "utf8") : 0);
    while (firstProcess() === 0) await setTimeout(5);
    // As the system does when this process ends.
    if (what.includes("parent")) for (const stream of sandbox.child.stdio) stream?.destroy();
    await exit;
    const isThere = () => parentOfProcess(firstProcess()) !== undefined;
    for (let i = 0; i < 2000 && isThere(); i++) await setTimeout(10);
    const isLeft = isThere();
    if (isLeft) process.kill(firstProcess(), "SIGKILL");
    expect(isLeft).toBe(false);
  },
);
