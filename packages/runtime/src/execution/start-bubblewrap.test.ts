import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openOutputPipes } from "./output-pipes.ts";
import { childrenOfProcess, parentOfProcess, processGone } from "./process-alive.ts";
import { makeRunDirectory, removeRunDirectory, sharedDirectory } from "./run-directory.ts";
import { sandboxFiles } from "./sandbox-files.ts";
import { startBubblewrap } from "./start-bubblewrap.ts";
import { trustedProgram } from "./trusted-program.ts";

const bubblewrap = trustedProgram("bwrap");

it.skipIf(bubblewrap === undefined)(
  "X-05 one that is ended while it is set up leaves no process (skipped without bubblewrap)",
  async () => {
    const directory = makeRunDirectory();
    onTestFinished(() => removeRunDirectory(directory));
    const skill = join(directory, "skill");
    mkdirSync(skill);
    const { etc, filter } = sandboxFiles(sharedDirectory(directory));
    const pipes = openOutputPipes(directory);
    const sandbox = startBubblewrap({
      pipes,
      ...(filter === undefined ? {} : { filter }),
      bubblewrap: bubblewrap ?? "",
      plan: { skill, etc, writable: [], readOnly: [], hidden: [], binds: [], temporaryBytes: 4096 },
      command: ["/bin/sleep", "60"],
      env: {},
      hasInput: false,
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
    for (const stream of pipes.started(sandbox.child)) stream?.destroy();
    pipes.done(false);
  },
);
