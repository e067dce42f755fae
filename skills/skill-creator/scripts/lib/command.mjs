import { parseArgs } from "node:util";

/** Wrong use: told in one line, with the usage. */
export class UsageError extends Error {}

/** Runs a script's work; what a person can mend ends with one line and exit code 2 or 1. */
export async function command(usage, options, work) {
  try {
    const help = { type: "boolean", short: "h" };
    const { values, positionals } = parseArgs({
      options: { help, ...options },
      allowPositionals: true,
    });
    if (values.help === true) console.log(usage);
    else await work(values, positionals);
  } catch (error) {
    const isUsage = error instanceof UsageError || error?.code?.startsWith?.("ERR_PARSE_ARGS");
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    if (isUsage) console.error(usage);
    process.exitCode = isUsage ? 2 : 1;
  }
}

export function onlyOne(positionals, what) {
  if (positionals.length !== 1) throw new UsageError(`give one ${what}`);
  return positionals[0];
}
