import type { AdmissionOptions } from "./network/domain-rule.ts";
import { isBelow } from "@skillwright/core/internal";
import { mkdirSync, readdirSync, realpathSync } from "node:fs";
import { constants, release } from "node:os";
import { join, relative, sep } from "node:path";
import type { Change } from "../changes/change.ts";
import { RunChanges, type ScriptChanges } from "../changes/run-changes.ts";
import type { View } from "../changes/view.ts";
import {
  isSecretFile,
  type SecretFiles,
  secretFilesIn,
} from "../workspace/confinement/protected-files.ts";
import { type ExecutorOptions } from "./executor.ts";
import { executionFailure, type ExecutionFailure } from "./execution-failure.ts";
import { countOwnThreads, limitArguments, ProcessGroup } from "./check-request.ts";
import type { SandboxNetwork } from "./network/sandbox-network.ts";
import {
  type ChildEnd,
  makeRunDirectory,
  processGone,
  removeRunDirectory,
  sharedDirectory,
  systemText,
} from "./child-process.ts";
import { afterRun, type Run, type RunEnd, type Sandbox, systemFailure } from "./run.ts";
import {
  coverOf,
  runBubblewrap,
  SANDBOX_PLACES,
  sandboxFiles,
  type SandboxFiles,
  type SandboxPlan,
  type StartedSandbox,
  SYSTEM_FOLDERS,
} from "./start-bubblewrap.ts";
import { trustedProgram } from "./find-program.ts";

export interface BubblewrapOptions extends ExecutorOptions {
  /** How names of allowed domains are looked up, and which addresses may be connected to. */
  readonly admission?: AdmissionOptions;
}

type Probe = { readonly ok: true } | ExecutionFailure;

const MAX_TEMPORARY_BYTES = 64 * 1024 * 1024;
const PROBE_MS = 10_000;
/** The two processes of bubblewrap, and the guard with its watcher or, in a view, nsenter. */
const HELPERS = 4;
const HELPERS_IN_VIEW = 3;
/** Since this kernel, processes are counted for each user namespace by itself. */
const COUNTED_BY_NAMESPACE = [5, 14] as const;

export function bubblewrapSandbox({
  temporaryDirectory,
  admission = {},
}: BubblewrapOptions): Sandbox {
  let probed: Promise<Probe> | undefined;
  return {
    name: "bubblewrap",
    probe: () =>
      (probed ??= probeBubblewrap(temporaryDirectory).catch((error: unknown) => {
        // A full disk may have room later.
        probed = undefined;
        return systemFailure(error, "the sandbox could not be tried");
      })),
    places: () => SANDBOX_PLACES,
    async run(run) {
      const { domains, directory } = run;
      if (domains.length === 0) return runInView(run, undefined);
      const { openSandboxNetwork } = await import("./network/sandbox-network.ts");
      const network = await openSandboxNetwork(directory, domains, {
        ...admission,
        networkBytes: run.limits.networkBytes,
      });
      try {
        return await runInView(run, network);
      } finally {
        network.close();
      }
    },
  };
}

/** Runs it in a view of the working directory, where what it changes can be kept. */
async function runInView(
  run: Run,
  network: SandboxNetwork | undefined,
): Promise<RunEnd | ExecutionFailure> {
  const { root, writable, directory, context, binds } = run;
  const { changes: given, signal } = context;
  const output = given?.output;
  if (given !== undefined && root !== undefined && !isBelow(given.root, root)) {
    const message = `${JSON.stringify(root)} is not below ${JSON.stringify(given.root)}, whose changes are held`;
    return executionFailure("working-directory-refused", message);
  }
  if (root === undefined || (given === undefined && writable.length === 0)) {
    return runIn(run, network, { root, output });
  }
  const changes = given ?? new RunChanges({ root, folder: join(directory, "changes") });
  try {
    let lost: readonly string[] = [];
    const { result, found } = await changes.run(async (view) => {
      if (!view.ok) return runIn(run, network, { root: changes.root, output });
      const temporary = view.temporary();
      const shown = { root: changes.root, output, view, temporary: temporary.mounted };
      return runIn(run, network, shown).finally(() => (lost = temporary.remove()));
    }, signal);
    if (!result.ok) return result;
    // With a gate behind it, policy decides about these places too: a rule that denies must hold there.
    const kept =
      given === undefined
        ? await keepIn(writable, changes, result.end, found)
        : { writable: writable.map((place) => relative(changes.root, place) || ".") };
    const names = lost.filter((name) => !isOfSandbox(name, [changes.root, ...binds]));
    const { failure = lostChanges(found) } = result;
    return {
      ...result,
      changes: { ...found, ...kept, ...(names.length > 0 && { lost: names }) },
      failure,
    };
  } finally {
    if (given === undefined) await changes.close();
  }
}

/** For a caller that does not decide about changes itself. */
async function keepIn(
  places: readonly string[],
  changes: RunChanges,
  { canceled, timedOut }: ChildEnd,
  found: ScriptChanges,
): Promise<Pick<ScriptChanges, "applied">> {
  const isKept = ({ path }: Change) =>
    places.some((place) => isBelow(place, join(changes.root, path)));
  if (canceled || timedOut || !found.changes.some(isKept)) return {};
  return { applied: await changes.apply(isKept) };
}

/** The home folder in the private /tmp, and what is mounted there. */
function isOfSandbox(name: string, mounted: readonly string[]): boolean {
  const path = join(SANDBOX_PLACES.temporary, name);
  return [SANDBOX_PLACES.home, ...mounted].some((place) => isBelow(path, place));
}

function lostChanges({ problem }: ScriptChanges): ExecutionFailure | undefined {
  if (problem === undefined) return undefined;
  return executionFailure("run-failed", `it ran, and what it changed is lost: ${problem}`);
}

interface ShownFolders extends Pick<SandboxPlan, "root" | "output" | "temporary"> {
  readonly view?: View;
}

/** Runs it in bubblewrap, under its limits, until every process of it has ended. */
async function runIn(
  run: Run,
  network: SandboxNetwork | undefined,
  shown: ShownFolders,
): Promise<RunEnd | ExecutionFailure> {
  const { limits, directory, context, timeoutMs } = run;
  const { stdin } = run.request;
  const processes = limits.processes + (network?.processes ?? 0);
  const isRoot = process.getuid?.() === 0;
  const counted = isRoot ? undefined : processCount(processes);
  const limited = limitArguments(limits, counted);
  const files = sandboxFiles(sharedDirectory(directory));
  network?.showCertificates(files.etc);
  const secrets = secretsOf(shown);
  // The kernel does not limit the processes of root, a control group does.
  const helpers = shown.view === undefined ? HELPERS : HELPERS_IN_VIEW;
  const group = isRoot ? ProcessGroup.make(processes + helpers) : undefined;
  let isInGroup = false;
  const { status, end } = await runBubblewrap(
    {
      bubblewrap: trustedProgram("bwrap") ?? "",
      plan: planOf(run, files, shown, secrets.paths, network),
      command: [
        // The relay is limited separately: a script could use it to get around its limits.
        ...(network === undefined ? [] : limitArguments(network.limits(limits), counted).args),
        ...(network?.relay ?? []),
        ...limited.args,
        ...run.command,
      ],
      env: { ...run.env, ...network?.env },
      directory,
      hasInput: stdin !== undefined,
      group: group?.door,
      onChild(pid) {
        isInGroup = group?.has(pid) === true;
      },
    },
    { ...context, timeoutMs, outputBytes: limits.outputBytes, stdin },
  ).catch((error: unknown) => {
    void group?.remove();
    throw error;
  });
  const failure = await afterRun(async () => {
    if (status.childPid !== undefined) await processGone(status.childPid);
    void group?.remove();
    return sandboxFailure(status, end);
  });
  return {
    ok: true,
    end: withScriptEnd(status, end),
    unenforced: [
      ...limited.unenforced.filter((limit) => !isInGroup || limit !== "processes"),
      ...(files.filter === undefined ? ["systemCalls"] : []),
      ...(secrets.isComplete ? [] : ["secretFiles"]),
    ],
    network: network?.uses(),
    failure,
  };
}

/** What is to be covered. A view hides secret files itself, but for those that are new. */
function secretsOf({ root, view }: ShownFolders): SecretFiles {
  if (root === undefined) return { paths: [], isComplete: true };
  if (view === undefined) return secretFilesIn(root);
  const names = readdirSync(root).filter((name) => isSecretFile([name]));
  return { paths: names.map((name) => join(root, name)), isComplete: view.hidesAllSecrets };
}

/** What the sandbox of a run shows, in one place. */
function planOf(
  { request: { hidden = [] }, limits, cwd, snapshot, typescript, nodeModules, binds }: Run,
  files: SandboxFiles,
  { root, view, output, temporary }: ShownFolders,
  secrets: readonly string[],
  network: SandboxNetwork | undefined,
): SandboxPlan {
  const folders = [...(root === undefined ? [] : [root]), ...SYSTEM_FOLDERS.flatMap(realFolder)];
  const isVisible = (path: string) => {
    const isInView = root !== undefined && view !== undefined && isBelow(root, path);
    if (isInView) return view.merged.has(relative(root, path).split(sep));
    return folders.some((folder) => isBelow(folder, path));
  };
  const covered = [...new Set([...secrets, ...hidden])].filter(isVisible);
  return {
    skill: snapshot?.directory,
    typescript,
    nodeModules,
    network: network?.folder,
    files,
    root,
    cwd,
    view,
    output,
    temporary,
    hidden: covered.flatMap((path) => coverOf(path, files)),
    binds: [...new Set([...binds, ...(network?.binds ?? [])])],
    temporaryBytes: Math.min(limits.fileBytes, MAX_TEMPORARY_BYTES),
  };
}

function realFolder(path: string): readonly string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

function processCount(limit: number): number {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  const [fromMajor, fromMinor] = COUNTED_BY_NAMESPACE;
  const isNew = major > fromMajor || (major === fromMajor && minor >= fromMinor);
  return isNew ? limit + 1 : limit + countOwnThreads();
}

/** Bubblewrap reports an exit code only for a command that ran. */
function sandboxFailure(
  { exitCode }: StartedSandbox["status"],
  end: ChildEnd,
): ExecutionFailure | undefined {
  const wasStopped = end.timedOut || end.canceled || end.signal !== null;
  if (exitCode !== undefined || wasStopped || end.startError !== undefined) return undefined;
  const why = end.stderr.text.trim().split("\n").at(-1) ?? "";
  return executionFailure("sandbox-failed", `the sandbox could not be set up: ${why}`);
}

/** The end of the command, where bubblewrap itself ended otherwise. */
function withScriptEnd({ exitCode }: StartedSandbox["status"], end: ChildEnd): ChildEnd {
  const code = exitCode ?? end.exitCode;
  const number = (code ?? 0) - 128;
  const [signal] = Object.entries(constants.signals).find(([, value]) => value === number) ?? [];
  const own = exitCode === undefined ? end.signal : null;
  return { ...end, exitCode: code, signal: own ?? signal ?? null };
}

/** Whether the sandbox works here: runs something in exactly the one that scripts get. */
export async function probeBubblewrap(temporaryDirectory?: string): Promise<Probe> {
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
    const skill = join(directory, "skill");
    mkdirSync(skill);
    const files = sandboxFiles(sharedDirectory(directory));
    const plan = { skill, files, temporaryBytes: 1 << 20 };
    const command = [trustedProgram("true") ?? "/bin/true"];
    const { status, end } = await runBubblewrap(
      { bubblewrap, plan, command, env: {}, directory },
      { timeoutMs: PROBE_MS, outputBytes: 4096 },
    );
    if (status.exitCode === 0) return { ok: true };
    const why = end.startError ?? (end.stderr.text.trim() || "it did not answer");
    return executionFailure(
      "sandbox-unusable",
      `bubblewrap is installed and does not work here: ${why}`,
      "User namespaces may be switched off: on Ubuntu install the package apparmor-profiles and load the profile bwrap-userns-restrict; elsewhere run sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000; in a container allow them. Bubblewrap must be 0.8 or newer.",
    );
  } finally {
    removeRunDirectory(directory);
  }
}

const INSTALL: readonly (readonly [distribution: RegExp, command: string])[] = [
  [/^ID(?:_LIKE)?=.*(?:fedora|rhel|centos)/m, "dnf install bubblewrap"],
  [/^ID(?:_LIKE)?=.*arch/m, "pacman -S bubblewrap"],
  [/^ID(?:_LIKE)?=.*alpine/m, "apk add bubblewrap"],
  [/^ID(?:_LIKE)?=.*suse/m, "zypper install bubblewrap"],
];

/** For the distribution that this is, as far as that is known. */
function installCommand(): string {
  const text = systemText("/etc/os-release");
  const [, command] = INSTALL.find(([distribution]) => distribution.test(text)) ?? [];
  return command ?? "apt-get install -y bubblewrap";
}
