import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** A program that a package brings, to see whether it is there. */
const PROGRAMS = { bubblewrap: "bwrap", "python3-pip": "pip3" };
const FOLDERS = ["/usr/bin", "/bin", "/usr/local/bin"];

/**
 * Installs packages of the system that scripts of skills or the tests need, where that is possible: as root on
 * Debian and its kin, unless SKILLWRIGHT_NO_INSTALL is set. Elsewhere it says what to run. Gives
 * whether they are there; never ends the process, since what needs them says so itself.
 */
export function ensureSystemPackages(names) {
  const missing = missingPackages(names);
  if (missing.length === 0) return true;
  if (process.platform !== "linux") return false;
  const command = `apt-get install -y ${missing.join(" ")}`;
  const mayInstall = process.getuid() === 0 && process.env["SKILLWRIGHT_NO_INSTALL"] === undefined;
  if (!mayInstall || !isDebian()) {
    const how = isDebian() ? `sudo ${command}` : `the packages ${missing.join(", ")}`;
    console.error(`Packages of the system are missing. Please install: ${how}`);
    return false;
  }
  console.error(`Installing packages of the system: ${command}`);
  if (!aptGet(["install", "-y", "--no-install-recommends", ...missing])) {
    aptGet(["update"]);
    aptGet(["install", "-y", "--no-install-recommends", ...missing]);
  }
  const still = missingPackages(missing);
  if (still.length > 0) console.error(`They could not be installed. Please run: ${command}`);
  return still.length === 0;
}

export function missingPackages(names) {
  return names.filter(
    (name) => !FOLDERS.some((folder) => existsSync(`${folder}/${PROGRAMS[name] ?? name}`)),
  );
}

function isDebian() {
  if (!existsSync("/usr/bin/apt-get") || !existsSync("/etc/os-release")) return false;
  return /^ID(?:_LIKE)?=.*(?:debian|ubuntu)/m.test(readFileSync("/etc/os-release", "utf8"));
}

/** Its output is of interest only when it fails. */
function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stdout, stderr } = spawnSync("/usr/bin/apt-get", ["-q", ...args], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status !== 0) console.error(`${stdout ?? ""}${stderr ?? ""}`.trim());
  return status === 0;
}
