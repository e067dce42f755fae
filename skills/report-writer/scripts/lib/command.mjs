import { parseArgs } from "node:util";

/** Wrong use: told in one line, with the usage. */
export class UsageError extends Error {}

/** Runs a script's work; what a person can mend ends with one line and exit code 2 or 1. */
export async function command(usage, options, work) {
  process.stdout.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
  });
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
    await work(values, positionals);
  } catch (error) {
    if (error?.code === "EPIPE") return;
    const isUsage = error instanceof UsageError || error?.code?.startsWith?.("ERR_PARSE_ARGS");
    console.error(`error: ${messageOf(error)}`);
    if (isUsage) console.error(usage);
    process.exitCode = isUsage ? 2 : 1;
  }
}

function messageOf(error) {
  if (error?.code === "ENOENT") return `there is no file ${error.path}`;
  if (error?.code === "EISDIR") return "this is a folder, not a file";
  return error instanceof Error ? error.message : String(error);
}

export function oneFile(positionals) {
  if (positionals.length !== 1) throw new UsageError("give one data file");
  return positionals[0];
}

/** In any case; where several columns fit equally well, the person must say which one. */
export function columnIndex(names, name) {
  const exact = names.indexOf(name);
  if (exact !== -1) return exact;
  const isAlike = (one) => one.toLowerCase() === name.toLowerCase();
  const alike = names.filter(isAlike);
  if (alike.length === 1) return names.indexOf(alike[0]);
  // How columns of one name are told apart; see uniqueNames.
  const numbered = names.filter((one) => isAlike(one.replace(/_\d+$/, "")));
  const several = alike.length > 1 ? alike : numbered;
  if (several.length > 1)
    throw new UsageError(`several columns are called ${name}; take one of: ${several.join(", ")}`);
  throw new UsageError(`there is no column ${name}; there are: ${names.join(", ")}`);
}

export function oneOf(option, value, choices) {
  if (value === undefined || choices.includes(value)) return value;
  throw new UsageError(`--${option} is ${choices.join(", ")}, not ${value}`);
}
