import { lstat, readFile, realpath, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { FIRST_CONFIGURATION } from "../../init/first-configuration.ts";
import { makeFolder } from "../../init/make-folder.ts";
import { openSession } from "../../session.ts";
import { visibleText } from "../../terminal/visible-text.ts";
import { configurationFile, type ConfigurationFileOptions } from "./configuration-file.ts";

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
  if (hasSchema && !(await holds(schema, text))) throw existing(schema);
  await makeFolder(folder);
  // Never through a link: what is there by now is not ours.
  if (!hasSchema) await writeFile(schema, text, { flag: "wx" });
  await writeFile(file, FIRST_CONFIGURATION, { flag: "wx" });
  if (console.json) console.printJson({ file, schema });
  else console.print(visibleText(`Created ${file} and ${schema}`));
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

async function holds(file: string, text: string): Promise<boolean> {
  const stats = await lstat(file);
  return stats.isFile() && stats.size < 1_000_000 && (await readFile(file, "utf8")) === text;
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
