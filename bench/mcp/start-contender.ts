import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { BenchClient } from "./bench-client.ts";
import type { ContenderName } from "./serve-contender.ts";

export interface Contender {
  readonly name: ContenderName;
  readonly client: BenchClient;
  /** Until it could answer. */
  readonly startMilliseconds: number;
  stop(): void;
}

/** The marker by which the bundle knows that it is to serve. */
export const SERVE = "--serve-contender";

/** Starts a server in a process of its own, and a client for it. `bundle` is the file that serves. */
export async function startContender(
  name: ContenderName,
  folder: string,
  bundle: string,
): Promise<Contender> {
  const child: ChildProcess = fork(bundle, [SERVE, name, folder], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const [{ port, milliseconds }] = (await once(child, "message")) as [
    { port: number; milliseconds: number },
  ];
  const client = new BenchClient(port);
  await client.begin();
  return {
    name,
    client,
    startMilliseconds: milliseconds,
    stop() {
      client.close();
      child.kill("SIGKILL");
    },
  };
}
