import { type ChildProcess, spawnSync } from "node:child_process";
import { closeSync, constants, openSync, unlinkSync } from "node:fs";
import { Socket } from "node:net";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { trustedProgram } from "./find-program.ts";

/**
 * Where a child writes its two outputs. Node gives a child sockets, and a script that opens
 * `/dev/stderr` by name then fails; named pipes can be opened again.
 */
export interface OutputPipes {
  /** For the options of `spawn`, in place of standard output and error. */
  readonly stdio: readonly [number | "pipe", number | "pipe"];
  /** To be called once the child was started, or could not be. */
  started(child: ChildProcess): readonly [Readable | null, Readable | null];
  /** Gives the pipes back; those that someone may still hold are not used again. */
  done(isClean: boolean): void;
}

interface NamedPipe {
  readonly path: string;
  readonly readEnd: number;
  readonly writeEnd: number;
}

const BATCH = 16;
const free: string[] = [];
let made = 0;

/** `runDirectory` is the private folder of the run; the pipes lie beside it and are used again. */
export function openOutputPipes(runDirectory: string): OutputPipes {
  const first = openPipe(dirname(runDirectory));
  const second = first === undefined ? undefined : openPipe(dirname(runDirectory));
  if (first === undefined || second === undefined) return nodePipes();
  const pipes = [first, second] as const;
  return {
    stdio: [first.writeEnd, second.writeEnd],
    started() {
      for (const { writeEnd } of pipes) closeSync(writeEnd);
      const [stdout, stderr] = pipes.map(({ readEnd }) => streamOf(readEnd));
      return [stdout ?? null, stderr ?? null];
    },
    done(isClean) {
      for (const { path } of pipes) {
        if (isClean) free.push(path);
        else unlinkSync(path);
      }
    },
  };
}

function nodePipes(): OutputPipes {
  return {
    stdio: ["pipe", "pipe"],
    started: ({ stdout, stderr }) => [stdout, stderr],
    done() {},
  };
}

function streamOf(descriptor: number): Readable {
  return new Socket({ fd: descriptor, readable: true, writable: false });
}

function openPipe(base: string): NamedPipe | undefined {
  for (;;) {
    const path = free.pop() ?? makePipes(base);
    if (path === undefined) return undefined;
    try {
      const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const writeEnd = openSync(path, constants.O_WRONLY);
      return { path, readEnd, writeEnd };
    } catch (error) {
      // The folder was removed under us: its pipes are gone, others can be made.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/** Several at a time, since it takes a program to make them. Gives one and keeps the others. */
function makePipes(base: string): string | undefined {
  const mkfifo = trustedProgram("mkfifo");
  if (mkfifo === undefined) return undefined;
  const paths = Array.from({ length: BATCH }, () => join(base, `pipe-${++made}`));
  const { status } = spawnSync(mkfifo, ["-m", "600", ...paths], { stdio: "ignore", env: {} });
  if (status !== 0) return undefined;
  free.push(...paths.slice(1));
  return paths[0];
}
