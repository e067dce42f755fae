import { parseArgs } from "node:util";

/** Wrong use, or a schema or rule file that is wrong itself: exit code 2. */
export class UsageError extends Error {}

/** Runs a script's work, which says whether all is well: 0 yes, 1 no. All that kept it from an answer is 2. */
export async function command(usage, options, work) {
  try {
    const help = { type: "boolean", short: "h" };
    const { values, positionals } = parseArgs({
      options: { help, ...options },
      allowPositionals: true,
    });
    if (values.help === true) {
      console.log(usage);
      return;
    }
    const isWell = await work(values, positionals);
    process.exitCode = isWell || values["exit-zero"] === true ? 0 : 1;
  } catch (error) {
    if (error?.code === "EPIPE") return;
    const isUsage = error?.code?.startsWith?.("ERR_PARSE_ARGS") || error?.isCall === true;
    console.error(`error: ${messageOf(error)}`);
    if (isUsage) console.error(usage);
    process.exitCode = 2;
  }
}

/** Arguments that make no call: told with the usage. */
export function wrongCall(message) {
  return Object.assign(new UsageError(message), { isCall: true });
}

function messageOf(error) {
  if (error?.code === "ENOENT") return `there is no file ${error.path}`;
  if (error?.code === "EISDIR") return "this is a folder, not a file";
  if (error?.code === "EACCES") return `${error.path} may not be read`;
  return error instanceof Error ? error.message : String(error);
}
