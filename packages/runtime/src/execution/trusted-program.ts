import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** Never the working directory, the user's PATH or a folder that someone else may write to. */
const TRUSTED_DIRECTORIES = [
  ["/usr/bin", "/bin", "/usr/local/bin", "/usr/sbin", "/sbin"],
  ["/run/current-system/sw/bin", "/opt/homebrew/bin"],
].flat();
const OTHERS_MAY_WRITE = 0o022;
const MAY_EXECUTE = 0o111;

const found = new Map<string, string>();
/** Looking for a program that is not there takes longest; it may be installed meanwhile. */
const MISSING_MS = 5000;
const missing = new Map<string, number>();

/** The absolute path of a program in a folder that only the system's owner can change. */
export function trustedProgram(name: string): string | undefined {
  const known = found.get(name);
  if (known !== undefined) return known;
  const now = performance.now();
  if (now - (missing.get(name) ?? -Infinity) < MISSING_MS) return undefined;
  for (const directory of TRUSTED_DIRECTORIES) {
    const file = join(directory, name);
    if (!isTrusted(file)) continue;
    found.set(name, file);
    return file;
  }
  missing.set(name, now);
  return undefined;
}

function isTrusted(file: string): boolean {
  try {
    const real = realpathSync(file);
    const stats = lstatSync(real);
    if (!stats.isFile() || (stats.mode & MAY_EXECUTE) === 0) return false;
    return [file, real].every((path) => isSystemPath(path));
  } catch {
    return false;
  }
}

/** Owned by root all the way up, and not writable by anyone else. */
function isSystemPath(path: string): boolean {
  for (let current = path; ; current = dirname(current)) {
    const stats = lstatSync(current);
    const isOpen = !stats.isSymbolicLink() && (stats.mode & OTHERS_MAY_WRITE) !== 0;
    if (stats.uid !== 0 || isOpen) return false;
    if (current === dirname(current)) return true;
  }
}
