import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cleanEnvironment } from "./clean-environment.ts";
import { executionFailure, type ExecutionFailure } from "./executor.ts";
import { makeRunDirectory, removeRunDirectory, sharedDirectory } from "./run-directory.ts";
import { sandboxFiles } from "./sandbox-plan.ts";
import { runBubblewrap } from "./sandboxed-process.ts";
import { trustedProgram } from "./find-program.ts";

const TIMEOUT_MS = 10_000;
/** With 0 in one of them, nobody but root makes a sandbox. */
const NAMESPACE_LIMITS = [
  "/proc/sys/user/max_user_namespaces",
  "/proc/sys/kernel/unprivileged_userns_clone",
];

/** Whether the sandbox works here: by running something in exactly the one that scripts get. */
export async function probeBubblewrap(
  temporaryDirectory?: string,
): Promise<{ readonly ok: true } | ExecutionFailure> {
  if (process.platform !== "linux") {
    return executionFailure(
      "sandbox-missing",
      `there is no sandbox for ${process.platform}`,
      'Use the sandbox "sandbox-runtime", run on Linux, or switch the sandbox off with execution.sandbox "none" if you trust every skill.',
    );
  }
  const bubblewrap = trustedProgram("bwrap");
  if (bubblewrap === undefined) {
    const message = "bubblewrap, which scripts are confined with, is not installed";
    return executionFailure("sandbox-missing", message, `Install it: ${installCommand()}`);
  }
  const directory = makeRunDirectory(temporaryDirectory);
  try {
    return await tryOnce(bubblewrap, directory);
  } finally {
    removeRunDirectory(directory);
  }
}

/** As far as that can be seen without starting it. */
export function isBubblewrapInstalled(): boolean {
  const isPossible = process.platform === "linux" && trustedProgram("bwrap") !== undefined;
  return isPossible && !NAMESPACE_LIMITS.some((file) => readSetting(file) === "0");
}

function readSetting(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

async function tryOnce(
  bubblewrap: string,
  directory: string,
): Promise<{ readonly ok: true } | ExecutionFailure> {
  const skill = join(directory, "skill");
  mkdirSync(skill);
  const places = { home: "/tmp", temporary: "/tmp", skillDirectory: "/skill", skillName: "probe" };
  const environment = cleanEnvironment(places);
  if (!environment.ok) return environment;
  const { etc, filter } = sandboxFiles(sharedDirectory(directory));
  const { sandbox, end } = await runBubblewrap(
    directory,
    {
      ...(filter === undefined ? {} : { filter }),
      bubblewrap,
      plan: {
        skill,
        etc,
        writable: [],
        readOnly: [],
        hidden: [],
        binds: [],
        temporaryBytes: 1 << 20,
      },
      command: [trustedProgram("true") ?? "/bin/true"],
      env: environment.env,
      hasInput: false,
    },
    { timeoutMs: TIMEOUT_MS, outputBytes: 4096 },
  );
  if (sandbox.status.exitCode === 0) return { ok: true };
  const why = end.startError ?? (end.stderr.text.trim() || "it did not answer");
  return executionFailure(
    "sandbox-unusable",
    `bubblewrap is installed and does not work here: ${why}`,
    "User namespaces may be switched off: on Ubuntu install the package apparmor-profiles and load the profile bwrap-userns-restrict; elsewhere run sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000; in a container allow them. Bubblewrap must be 0.8 or newer.",
  );
}

/** For the distribution this is, as far as it says so. */
function installCommand(): string {
  let text = "";
  try {
    text = readFileSync("/etc/os-release", "utf8");
  } catch {
    // Then the usual one is named.
  }
  if (/^ID(?:_LIKE)?=.*(?:fedora|rhel|centos)/m.test(text)) return "dnf install bubblewrap";
  if (/^ID(?:_LIKE)?=.*arch/m.test(text)) return "pacman -S bubblewrap";
  if (/^ID(?:_LIKE)?=.*alpine/m.test(text)) return "apk add bubblewrap";
  if (/^ID(?:_LIKE)?=.*suse/m.test(text)) return "zypper install bubblewrap";
  return "apt-get install -y bubblewrap";
}
