import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { userConfigurationFile } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../../console.ts";
import type { Session } from "@skillwright/app/internal";

export interface ConfigurationFileOptions extends GlobalOptions {
  readonly user?: boolean;
}

export interface ConfigurationFile {
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
