import { Readable } from "node:stream";
import { main } from "../../packages/cli/src/index.ts";

export interface CliRun {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTTY?: boolean;
  readonly stdin?: string;
}

/** Runs the command line from source, in this process, and keeps what it printed. */
export async function runCli(
  args: readonly string[],
  { cwd, env = {}, isTTY = false, stdin }: CliOptions,
): Promise<CliRun> {
  let stdout = "";
  let stderr = "";
  const exitCode = await main(args, {
    stdout: { write: (text) => (stdout += text), isTTY, columns: 80 },
    stderr: { write: (text) => (stderr += text), isTTY, columns: 80 },
    ...(stdin !== undefined && { stdin: () => Readable.from([stdin]) }),
    env,
    cwd,
  });
  return { exitCode, stdout, stderr };
}
