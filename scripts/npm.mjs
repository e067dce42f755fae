import { spawnSync } from "node:child_process";

/** Runs the npm this process was started by, or the one on the path; ends the process when it fails. */
export function npm(args, options = {}) {
  const { npm_execpath: script } = process.env;
  const [command, ...before] = script?.endsWith(".js") ? [process.execPath, script] : ["npm"];
  run(command, [...before, ...args], options);
}

/** Runs a command in the foreground; ends this process with its exit code when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit", ...options });
  if (error !== undefined) console.error(`${command} could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
