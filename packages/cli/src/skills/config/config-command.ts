import { lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import {
  CONFIGURATION_PATHS,
  optionValue,
  setConfigurationValue,
  userConfigurationFile,
} from "@skillwright/core";
import type { Console, GlobalOptions } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { openSession, type Session } from "../../session.ts";
import { table } from "../../terminal/table.ts";
import { visibleText } from "../../terminal/visible-text.ts";

export interface ConfigCommandOptions extends GlobalOptions {
  readonly user?: boolean;
}

/** Each effective value and where it came from. */
export async function showConfig(options: GlobalOptions, console: Console): Promise<ExitCode> {
  const { configuration } = await openSession(options, console);
  const values = CONFIGURATION_PATHS.map((path) => ({
    path,
    value: optionValue(configuration.values, path),
    ...configuration.origin(path),
  }));
  if (console.json) {
    const { problems, notes } = configuration;
    console.printJson({ values, problems, notes });
    return EXIT.done;
  }
  const rows = values.map(({ path, value, layer, file }) => [
    path,
    file === undefined ? layer : `${layer} (${file})`,
    value === undefined ? "–" : visibleText(JSON.stringify(value)),
  ]);
  console.print(
    table(["OPTION", "FROM", "VALUE"], rows, { width: console.width, header: console.colors.bold }),
  );
  return EXIT.done;
}

const FIRST_CONFIGURATION = `{
  // A project can only narrow what its user allows. The schema beside this file names every option.
  "$schema": "./config.schema.json"
}
`;

/** A first configuration, with the schema beside it so that editors complete and check at once. */
export async function initConfig(
  options: ConfigCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const file = configurationFile(await openSession(options, console), options, console);
  if ((await lstat(file).catch(() => undefined)) !== undefined) {
    throw new CommandFailure(EXIT.usage, `${file} exists already`);
  }
  const { configurationSchemaText } = await import("@skillwright/core/config-schema");
  const schema = join(dirname(file), "config.schema.json");
  await mkdir(dirname(file), { recursive: true });
  await writeFile(schema, configurationSchemaText());
  await writeFile(file, FIRST_CONFIGURATION, { flag: "wx" });
  if (console.json) console.printJson({ file, schema });
  else console.print(`Created ${file} and ${schema}`);
  return EXIT.done;
}

export async function setConfig(
  path: string,
  value: string,
  options: ConfigCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const file = configurationFile(await openSession(options, console), options, console);
  const result = await setConfigurationValue(file, path, value, { isText: true });
  if (!result.ok) {
    const { message, hint, candidates = [] } = result;
    const meant = candidates.length > 0 ? `did you mean ${candidates.join(", ")}?` : hint;
    throw new CommandFailure(EXIT.usage, message, meant === undefined ? {} : { hint: meant });
  }
  if (console.json) console.printJson({ file, path });
  else console.print(`Set ${path} in ${file}`);
  return EXIT.done;
}

function configurationFile(
  { project, home }: Session,
  { user = false, config }: ConfigCommandOptions,
  { cwd, env }: Console,
): string {
  if (config !== undefined) return resolve(cwd, config);
  return user ? userConfigurationFile(home, env) : join(project, ".agent/config.json");
}
