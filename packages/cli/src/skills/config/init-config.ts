import { lstat, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import {
  placeNew,
  readRegularFile,
  UnusableFileError,
  visibleLine,
} from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { FIRST_CONFIGURATION } from "../../init/first-configuration.ts";
import { openSession } from "@skillwright/app/internal";
import { configurationFile, type ConfigurationFileOptions } from "./set-config.ts";

const MAX_BYTES = 1_000_000;

/** A first configuration, with the schema beside it so that editors complete and check at once. */
export async function initConfig(
  options: ConfigurationFileOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  const { file, isProjects } = configurationFile(session, options, console);
  const folder = dirname(file);
  if (isProjects) await requireInside(folder, session.project);
  const schema = join(folder, "config.schema.json");
  const { configurationSchemaText } = await import("@skillwright/core/config-schema");
  const text = configurationSchemaText();
  if (await isThere(file)) throw existing(file);
  const hasSchema = await isThere(schema);
  if (hasSchema && !holds(schema, text)) throw existing(schema);
  // Never through a link: what is there by now is not ours.
  if (!hasSchema && !placeNew(schema, text, { mode: "umask" })) throw existing(schema);
  if (!placeNew(file, FIRST_CONFIGURATION, { mode: "umask" })) throw existing(file);
  if (console.json) console.printJson({ file, schema });
  else console.print(visibleLine(`Created ${file} and ${schema}`));
  return EXIT.done;
}

function existing(file: string): CommandFailure {
  return new CommandFailure(EXIT.usage, `${file} exists already`, {
    hint: "it is left as it is; move it away first, or use skillwright config set",
  });
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

function holds(file: string, text: string): boolean {
  try {
    return readRegularFile(file, { maxBytes: MAX_BYTES }).toString("utf8") === text;
  } catch (error) {
    if (error instanceof UnusableFileError) return false;
    throw error;
  }
}

/** The folder may be a link that an author of the project made. */
async function requireInside(folder: string, project: string): Promise<void> {
  if (!(await isThere(folder))) return;
  const real = await realpath(folder).catch(() => undefined);
  if (real?.startsWith(`${await realpath(project)}${sep}`) === true) return;
  throw new CommandFailure(EXIT.usage, `${folder} is a link that leads out of the project`, {
    hint: "nothing was written; remove the link first",
  });
}
