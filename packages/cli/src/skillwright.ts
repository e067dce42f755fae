import { builtinDirectory } from "./builtin-directory.ts";
import { VERSION } from "./version.ts";

/** The reader has seen enough, or the terminal is closed. */
const NOBODY_THERE: ReadonlySet<string | undefined> = new Set([
  "EPIPE",
  "EIO",
  "ERR_STREAM_DESTROYED",
]);

/** On listeners that end what the process has started, and not its work. */
const ONLY_CLEANS_UP = Symbol.for("skillwright.only-cleans-up");

/** How the process ends, once what it does is of no use any more. */
let uselessExit: number | undefined;

/** Nobody gets the result: what can end in order does, as if its terminal were closed. */
function endUseless(exitCode: number): void {
  if (uselessExit !== undefined) return;
  uselessExit = exitCode;
  if (process.listeners("SIGHUP").every((one) => ONLY_CLEANS_UP in one)) process.exit(exitCode);
  process.emit("SIGHUP", "SIGHUP");
}

process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // A reader that closes early (`skillwright list | head`) is not an error.
  if (code === "EPIPE") return endUseless(0);
  // A terminal that is closed also sends SIGHUP, which ends the work in order.
  if (NOBODY_THERE.has(code)) return;
  if (uselessExit === undefined) {
    process.stderr.write(`error: the result cannot be written: ${message}\n`);
  }
  endUseless(1);
});
// Nobody listens to what is said beside the result: the work goes on, and its exit code counts.
process.stderr.on("error", (error: NodeJS.ErrnoException) => {
  if (!NOBODY_THERE.has(error.code)) throw error;
});

// Not awaited at the top level: the commands are loaded from here, and would wait for this module.
void run();

async function run(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  const { main } = await import("./main.ts");
  const { stdout, stderr, env } = process;
  // Asked for, not given: making it takes time that few commands need.
  const stdin = () => process.stdin;
  const surroundings = { stdin, stdout, stderr, env, cwd: process.cwd() };
  const exitCode = await main(args, {
    ...surroundings,
    builtinDirectory: builtinDirectory(import.meta.dirname),
  });
  process.exitCode = uselessExit ?? exitCode;
}
