import { openSession, type Session } from "@skillwright/app/internal";
import { loadConfiguration } from "@skillwright/core";
import {
  setConfigurationValue,
  unsetConfigurationValue,
  userConfigurationFile,
  visibleLine,
} from "@skillwright/core/internal";
import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Console, GlobalOptions } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";

export interface ConfigurationFileOptions extends GlobalOptions {
  readonly user?: boolean;
}

interface ConfigurationFile {
  readonly file: string;
  /** Whether it is the project's, which others may have written. In the home directory it is not. */
  readonly isProjects: boolean;
}

/** The file that `config init` and `config set` are about. */
export function configurationFile(
  { project, home }: Session,
  { user = false, config }: ConfigurationFileOptions,
  { cwd, env }: Console,
): ConfigurationFile {
  if (config !== undefined) return { file: resolve(cwd, config), isProjects: false };
  if (user) return { file: userConfigurationFile(home, env), isProjects: false };
  const isProjects = realPath(project) !== realPath(home);
  return { file: join(project, ".agent/config.json"), isProjects };
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Sets one option, unless it would be refused when it is read. */
export async function setConfig(
  path: string,
  value: string,
  options: ConfigurationFileOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  const { file, isProjects } = configurationFile(session, options, console);
  const result = await setConfigurationValue(file, path, value, {
    isText: true,
    limit: session.configuration.limit,
    ...(isProjects && {
      project: { folder: session.project, held: await heldByUser(session, console) },
    }),
  });
  if (!result.ok) throw failureOf(result);
  if (console.json) console.printJson({ file, path });
  else console.print(visibleLine(`Set ${path} in ${file}`));
  if (isProjects && !session.projectTrusted) {
    console.note("It is read once this folder is trusted: skillwright trust");
  }
  return EXIT.done;
}

/** What the project's configuration is held against: the layers below it. */
async function heldByUser({ project, home }: Session, { cwd, env }: Console) {
  const others = Object.entries(env).filter(
    ([name]) => !/^SKILLWRIGHT_(?!MANAGED_CONFIG$)/i.test(name),
  );
  const below = { cwd, project, home, env: Object.fromEntries(others), projectTrusted: false };
  return (await loadConfiguration(below)).values;
}

/** Takes one option out, so that the layer below it counts again. */
export async function unsetConfig(
  path: string,
  options: ConfigurationFileOptions,
  console: Console,
): Promise<ExitCode> {
  const session = await openSession(options, console);
  const { file } = configurationFile(session, options, console);
  const result = await unsetConfigurationValue(file, path);
  if (!result.ok) throw failureOf(result);
  const removed = !("absent" in result);
  if (console.json) console.printJson({ file, path, removed });
  else if (removed) console.print(visibleLine(`Removed ${path} from ${file}`));
  else console.note(visibleLine(`${path} is not set in ${file}`));
  return EXIT.done;
}

type Failure = Extract<Awaited<ReturnType<typeof setConfigurationValue>>, { ok: false }>;

function failureOf({ code, message, hint, candidates = [] }: Failure): CommandFailure {
  const meant = candidates.length > 0 ? `did you mean ${candidates.join(", ")}?` : hint;
  if (code === "managed") return new CommandFailure(EXIT.usage, message, { hint: hint ?? "" });
  const advice =
    code === "not-a-projects" ? `set it for yourself: skillwright config set --user` : meant;
  return new CommandFailure(EXIT.usage, message, advice === undefined ? {} : { hint: advice });
}
