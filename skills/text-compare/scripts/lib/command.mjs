import { parseArgs } from "node:util";

/** Wrong use: told in one line, with the usage. */
export class UsageError extends Error {}

/**
 * Runs a script's work, which says whether the two are the same: 0 same, 1 different. All that kept
 * it from an answer is 2, so that a file that cannot be read never looks like a difference.
 */
export async function command(usage, options, work) {
  try {
    const { values, positionals } = readArguments(options);
    if (values.help === true) {
      console.log(usage);
      return;
    }
    const isSame = await work(values, positionals);
    process.exitCode = isSame || values["exit-zero"] === true ? 0 : 1;
  } catch (error) {
    if (error?.code === "EPIPE") return;
    const isUsage = error instanceof UsageError || error?.code?.startsWith?.("ERR_PARSE_ARGS");
    console.error(`error: ${messageOf(error)}`);
    if (isUsage) console.error(usage);
    process.exitCode = 2;
  }
}

function readArguments(options) {
  const common = { help: { type: "boolean", short: "h" }, "exit-zero": { type: "boolean" } };
  return parseArgs({ options: { ...common, ...options }, allowPositionals: true });
}

function messageOf(error) {
  if (error?.code === "ENOENT") return `there is no file or folder ${error.path}`;
  if (error?.code === "EACCES" || error?.code === "EPERM") return `${error.path} may not be read`;
  return error instanceof Error ? error.message : String(error);
}

export function twoPaths(positionals) {
  if (positionals.length !== 2) throw new UsageError("give two files or two folders");
  return positionals;
}

export function wholeNumber(text, name, usual) {
  if (text === undefined) return usual;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`--${name} takes a whole number, not ${text}`);
}
