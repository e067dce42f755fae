import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";

/** What bubblewrap tells about itself, apart from the script's own output. */
export class BubblewrapStatus {
  /** The first process of the sandbox, whose end is the end of all others in it. */
  childPid: number | undefined;
  /** Absent when the script never ran. */
  exitCode: number | undefined;
  #text = "";

  constructor(child: ChildProcess, statusFd: number, onChild: (pid: number) => void) {
    const stream = child.stdio[statusFd] as Readable | null | undefined;
    stream?.on("error", () => {});
    stream?.on("data", (chunk: Buffer) => {
      // The script cannot write here; a few lines are all there is.
      this.#text = (this.#text + chunk.toString("latin1")).slice(0, 4096);
      this.exitCode ??= this.#number("exit-code");
      if (this.childPid !== undefined) return;
      this.childPid = this.#number("child-pid");
      if (this.childPid !== undefined) onChild(this.childPid);
    });
  }

  #number(key: string): number | undefined {
    const found = new RegExp(`"${key}": (\\d+)[^\\d]`).exec(this.#text)?.[1];
    return found === undefined ? undefined : Number(found);
  }
}
