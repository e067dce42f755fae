import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** Spins until the process has started a child, waits, and kills the process. */
const SNIPER = `
  const { workerData, parentPort } = require("node:worker_threads");
  const { readFileSync } = require("node:fs");
  const children = "/proc/" + process.pid + "/task/" + process.pid + "/children";
  parentPort.postMessage("ready");
  while (readFileSync(children, "latin1") === "");
  const end = process.hrtime.bigint() + BigInt(workerData.delayUs) * 1000n;
  while (process.hrtime.bigint() < end);
  process.kill(process.pid, "SIGKILL");`;

const hostEntry = (packages: string) => `
  import { once } from "node:events";
  import { join } from "node:path";
  import { Worker } from "node:worker_threads";
  import { createBubblewrapExecutor, RunChanges } from ${JSON.stringify(join(packages, "runtime/src/internal/index.ts"))};
  const { folder, isProbed, delayUs, number } = JSON.parse(process.argv[2]);
  const executor = createBubblewrapExecutor({ temporaryDirectory: join(folder, "tmp") });
  // Then the first child is the sandbox of the script, which never ends by itself.
  if (isProbed) await executor.probe();
  const sniper = new Worker(${JSON.stringify(SNIPER)}, { eval: true, workerData: { delayUs } });
  await once(sniper, "message");
  const skill = { name: "tool", path: join(folder, "skill") };
  // Every other one in a view.
  const changes = new RunChanges({ root: join(folder, "work"), folder: join(folder, "held" + number) });
  const context = number % 2 === 0 ? {} : { changes };
  const request = { skill, script: "scripts/a.sh", args: ["3000"], cwd: join(folder, "work") };
  const { failure } = await executor.run({ ...request, limits: { timeoutMs: 3_000_000 } }, context);
  console.error(failure);
  process.exit(1);`;

const interruptedEntry = (packages: string) => `
  import { join } from "node:path";
  import { createBubblewrapExecutor } from ${JSON.stringify(join(packages, "runtime/src/internal/index.ts"))};
  process.on("SIGINT", () => {});
  const folder = process.argv[2];
  const executor = createBubblewrapExecutor({ temporaryDirectory: join(folder, "tmp") });
  const skill = { name: "tool", path: join(folder, "skill") };
  console.log("ready");
  for (let run = 0; run < 100; run++) {
    const { exitCode } = await executor.run({ skill, script: "scripts/a.sh", args: ["0"], cwd: join(folder, "work") });
    console.log(exitCode);
  }`;

/** A process that runs scripts in sandboxes and kills itself at a given point. */
export async function bundleKilledHost(packages: string): Promise<string> {
  return bundleHost(packages, hostEntry(packages));
}

/** A process that runs scripts while its process group is interrupted, and prints how each ended. */
export async function bundleInterruptedHost(packages: string): Promise<string> {
  return bundleHost(packages, interruptedEntry(packages));
}

async function bundleHost(packages: string, entry: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "skillwright-killed-"));
  writeFileSync(join(folder, "entry.mjs"), entry);
  const bundle = await rolldown({
    input: join(folder, "entry.mjs"),
    platform: "node",
    logLevel: "silent",
    resolve: {
      alias: {
        "@skillwright/core/internal/address": join(packages, "core/src/internal/address.ts"),
        "@skillwright/core/internal": join(packages, "core/src/internal/index.ts"),
        "@skillwright/core": join(packages, "core/src/index.ts"),
      },
    },
    external: ["sucrase"],
  });
  await bundle.write({ dir: join(folder, "dist"), format: "esm", entryFileNames: "host.mjs" });
  await bundle.close();
  return join(folder, "dist/host.mjs");
}
