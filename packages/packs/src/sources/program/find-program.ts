import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";
import { type Environment, searchFolders } from "./program-environment.ts";

/** What is started, and what comes before the arguments. */
export interface Program {
  readonly file: string;
  readonly before: readonly string[];
}

/** The first program of that name in the folders of PATH that can be trusted. */
export function findProgram(name: string, env: Environment, cwd: string): Program | undefined {
  for (const folder of searchFolders(env, cwd)) {
    const found = process.platform === "win32" ? onWindows(folder, name) : onUnix(folder, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function onUnix(folder: string, name: string): Program | undefined {
  const file = join(folder, name);
  return isProgram(file) ? { file, before: [] } : undefined;
}

/** `npm.cmd` would need a shell; the script behind it does not. */
function onWindows(folder: string, name: string): Program | undefined {
  const script = join(folder, "node_modules", name, "bin", `${name}-cli.js`);
  if (isProgram(script)) return { file: process.execPath, before: [script] };
  return onUnix(folder, `${name}.exe`);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
