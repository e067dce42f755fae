import { parseArgs } from "node:util";

/** Wrong use: told in one line, with the usage. */
export class UsageError extends Error {}

/** Runs a script's work; what a person can mend ends with one line and exit code 2 or 1. */
export async function command(usage, options, work) {
  try {
    const { values, positionals } = readArguments(options);
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

function readArguments(options) {
  const help = { type: "boolean", short: "h" };
  return parseArgs({ options: { help, ...options }, allowPositionals: true });
}

function messageOf(error) {
  if (error?.code === "ENOENT") return `there is no file ${error.path}`;
  if (error?.code === "EISDIR") return "this is a folder, not a file";
  return error instanceof Error ? error.message : String(error);
}

export function oneFile(positionals, what = "file") {
  if (positionals.length !== 1) throw new UsageError(`give one ${what}`);
  return positionals[0];
}

/**
 * Names in any case; "products" is also found as "product", and the other way round. Where several
 * columns fit equally well, the person must say which one.
 */
export function columnIndex(names, name) {
  const plain = (text) => text.toLowerCase();
  const single = (text) =>
    plain(text)
      .replace(/ies$/, "y")
      .replace(/(?<=..[^s])s$/, "");
  const exact = names.indexOf(name);
  if (exact !== -1) return exact;
  const alike = [plain, single]
    .map((form) => names.filter((one) => form(one) === form(name)))
    .find((found) => found.length > 0);
  if (alike?.length === 1) return names.indexOf(alike[0]);
  // How columns of one name are told apart; see uniqueNames.
  const numbered = names.filter((one) => plain(one.replace(/_\d+$/, "")) === plain(name));
  const several = alike ?? (numbered.length > 1 ? numbered : []);
  if (several.length > 0)
    throw new UsageError(`several columns are called ${name}; take one of: ${several.join(", ")}`);
  throw new UsageError(`there is no column ${name}; there are: ${names.join(", ")}`);
}
