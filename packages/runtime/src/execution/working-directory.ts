import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { isBelow } from "./control-files.ts";
import { executionFailure, type ExecutionFailure } from "./executor.ts";

export interface WorkingDirectory {
  readonly ok: true;
  /** Real path; absent for a fresh one. */
  readonly path?: string;
}

const SYSTEM = ["/proc", "/sys", "/dev", "/etc", "/boot", "/run"];
const HELD_BY_NONE = ["/usr", "/var", "/home", "/root", "/bin"];
const SECRETS =
  /^(?:\.env(?!\.(?:example|sample|template|dist)$)(?:\..+)?|\.netrc|\.npmrc|\.pypirc|\.git-credentials|\.ssh|\.aws|\.azure|\.gnupg|\.kube|\.docker|id_(?:rsa|dsa|ecdsa|ed25519)|.+\.(?:pem|p12|pfx))$/;

/**
 * The folder in which a script runs. A sandbox shows it whole, so one that holds the user's other
 * things is refused.
 */
export function workingDirectory(cwd: string): WorkingDirectory | ExecutionFailure {
  if (cwd === "fresh") return { ok: true };
  const refuse = (why: string, hint?: string) =>
    executionFailure(
      "working-directory-refused",
      `scripts cannot run in ${JSON.stringify(cwd)}: ${why}`,
      hint,
    );
  if (!isAbsolute(cwd) || cwd.includes("\0")) return refuse("it is not an absolute path");
  let path: string;
  try {
    path = realpathSync(cwd);
    if (!lstatSync(path).isDirectory()) return refuse("it is not a folder");
  } catch {
    return refuse("it does not exist");
  }
  const holds = [homedir(), tmpdir(), ...HELD_BY_NONE].some((other) => isBelow(path, other));
  if (holds || SYSTEM.some((system) => isBelow(system, path))) {
    return refuse(
      "it holds more than a project",
      "Start in the folder of a project, or run scripts in a fresh working directory.",
    );
  }
  return { ok: true, path };
}

/** Files directly in a folder that usually hold secrets. */
export function secretsIn(directory: string): readonly string[] {
  return readdirSync(directory)
    .filter((name) => SECRETS.test(name))
    .map((name) => join(directory, name));
}
