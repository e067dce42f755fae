import { mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import {
  isSecretFile,
  type SecretFiles,
  secretFilesIn,
} from "../workspace/confinement/protected-files.ts";
import { constants, release } from "node:os";
import { join, relative, sep } from "node:path";
import { isBelow } from "@skillwright/core/internal";
import type { Change } from "../changes/change.ts";
import { RunChanges, type ScriptChanges } from "../changes/run-changes.ts";
import { writablePlaces } from "./check-request.ts";
import { executionFailure, type ExecutionFailure } from "./executor.ts";
import { trustedProgram } from "./trusted-program.ts";
import { countOwnThreads, limitArguments, makeProcessCgroup } from "./limits.ts";
import type { AdmissionOptions } from "./network/domain-rule.ts";
import type { SandboxNetwork } from "./network/sandbox-network.ts";
import { openOutputPipes } from "./supervise-child.ts";
import { processGone } from "./processes.ts";
import { afterRun, type Run, type RunEnd, type Sandbox, systemFailure } from "./run.ts";
import { makeRunDirectory, removeRunDirectory, sharedDirectory } from "./run-directory.ts";
import {
  coverOf,
  SANDBOX_PLACES,
  type SandboxFiles,
  sandboxFiles,
  type SandboxPlan,
  SYSTEM_FOLDERS,
} from "./sandbox-plan.ts";
import { type StartedSandbox, startBubblewrap, type StartOptions } from "./start-bubblewrap.ts";
import { type ChildEnd, superviseChild, type SuperviseOptions } from "./supervise-child.ts";

export interface BubblewrapSandboxOptions {
  readonly temporaryDirectory?: string;
  readonly interpreters?: Readonly<Record<string, string>>;
  readonly admission?: AdmissionOptions;
}

const MAX_TEMPORARY_BYTES = 64 * 1024 * 1024;
const MAX_RESTARTS = 9;
const PROBE_MS = 10_000;
/** The guard, its watcher, and the two processes of bubblewrap; nsenter is one more. */
const HELPERS = 4;
/** Since this kernel, processes are counted for each user namespace by itself. */
const COUNTED_BY_NAMESPACE = [5, 14] as const;

export function bubblewrapSandbox(options: BubblewrapSandboxOptions): Sandbox {
  let probed: ReturnType<typeof probeBubblewrap> | undefined;
  return {
    name: "bubblewrap",
    probe: () =>
      (probed ??= probeBubblewrap(options.temporaryDirectory).catch((error: unknown) => {
        // A full disk may have room later.
        probed = undefined;
        return systemFailure(error, "the sandbox could not be tried");
      })),
    places: () => SANDBOX_PLACES,
    async run(run) {
      const { domains } = run.checked;
      if (domains.length === 0) return runSandboxed(run, undefined);
      const { openSandboxNetwork } = await import("./network/sandbox-network.ts");
      const { admission = {}, interpreters } = options;
      const network = await openSandboxNetwork(run.directory, {
        domains,
        admission,
        ...(interpreters && { interpreters }),
      });
      try {
        return await runSandboxed(run, network);
      } finally {
        network.close();
      }
    },
  };
}

/** Runs it in a view of the working directory, where what it changes can be kept. */
async function runSandboxed(
  run: Run,
  network: SandboxNetwork | undefined,
): Promise<RunEnd | ExecutionFailure> {
  const { request, checked, directory, context } = run;
  const { writable = [] } = request;
  const { root } = checked;
  const checkedPlaces = writablePlaces(root ?? "/", root === undefined ? [] : writable);
  if (!checkedPlaces.ok) return checkedPlaces;
  const { places } = checkedPlaces;
  const given = context.changes;
  if (given !== undefined && root !== undefined && !isBelow(given.root, root)) {
    const message = `${JSON.stringify(root)} is not below ${JSON.stringify(given.root)}, whose changes are held`;
    return executionFailure("working-directory-refused", message);
  }
  const isOwn = given === undefined;
  const changes =
    isOwn && root !== undefined && places.length > 0
      ? new RunChanges({ root, folder: join(directory, "changes") })
      : context.changes;
  const output = context.changes?.output;
  if (root === undefined || changes === undefined) return runIn(run, network, { output });
  try {
    let lost: readonly string[] = [];
    const { result, found } = await changes.run(async (view) => {
      if (!view.ok) return runIn(run, network, { root: changes.root, output });
      const temporary = view.temporary();
      const shown = { root: changes.root, output, view, temporary: temporary.mounted };
      return runIn(run, network, shown).finally(() => (lost = temporary.remove()));
    }, context.signal);
    if (!result.ok) return result;
    // With a gate behind it, policy decides about these places too: a rule that denies must hold there.
    const kept = isOwn
      ? await keepIn(places, changes, result.end, found)
      : { writable: places.map((place) => relative(changes.root, place) || ".") };
    const { problem } = found;
    const failure = problem === undefined ? undefined : lostChanges(problem);
    const names = lost.filter((name) => !isOfSandbox(name, [changes.root, ...run.prepared.binds]));
    return {
      ...result,
      changes: { ...found, ...kept, ...(names.length > 0 && { lost: names }) },
      ...(failure && { failure: result.failure ?? failure }),
    };
  } finally {
    if (isOwn) await changes.close();
  }
}

/** The home folder in the private /tmp, and what is mounted there. */
function isOfSandbox(name: string, mounted: readonly string[]): boolean {
  const path = join(SANDBOX_PLACES.temporary, name);
  return [SANDBOX_PLACES.home, ...mounted].some((place) => isBelow(path, place));
}

function lostChanges(problem: string): ExecutionFailure {
  return executionFailure("run-failed", `it ran, and what it changed is lost: ${problem}`);
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

type ShownFolders = Pick<SandboxPlan, "root" | "view" | "output" | "temporary">;

/** Runs it in bubblewrap, under its limits, until every process of it has ended. */
async function runIn(
  run: Run,
  network: SandboxNetwork | undefined,
  shown: ShownFolders,
): Promise<RunEnd | ExecutionFailure> {
  const { request, checked, prepared, directory, context } = run;
  const { limits } = checked;
  const { stdin } = request;
  const processes = limits.processes + (network?.processes ?? 0);
  const isRoot = process.getuid?.() === 0;
  const counted = isRoot ? undefined : { count: processCount(processes) };
  const limited = limitArguments(limits, counted);
  const unenforced = new Set(limited.unenforced);
  const files = sandboxFiles(sharedDirectory(directory));
  if (files.filter === undefined) unenforced.add("systemCalls");
  network?.showCertificates(files.etc);
  const secrets = secretsOf(run, shown);
  if (!secrets.isComplete) unenforced.add("secretFiles");

  // The kernel does not limit the processes of root, a control group does.
  const helpers = shown.view === undefined ? HELPERS : HELPERS + 1;
  const group = isRoot ? makeProcessCgroup(processes, helpers) : undefined;
  let ran: { readonly sandbox: StartedSandbox; readonly end: ChildEnd };
  try {
    ran = await runBubblewrap(
      directory,
      {
        ...(files.filter !== undefined && { filter: files.filter }),
        bubblewrap: trustedProgram("bwrap") ?? "",
        plan: planOf(run, files, shown, secrets.paths, network),
        command: [
          // The relay is limited separately: a script could use it to get around its limits.
          ...(network === undefined ? [] : limitArguments(network.limits(limits), counted).args),
          ...(network?.relay ?? []),
          ...limited.args,
          ...prepared.command,
        ],
        env: { ...prepared.env, ...network?.env },
        hasInput: stdin !== undefined,
        group: group?.door,
        onChild: async (pid) => group?.add(pid),
      },
      {
        ...context,
        timeoutMs: prepared.timeoutMs,
        outputBytes: limits.outputBytes,
        ...(stdin !== undefined && { stdin }),
      },
    );
  } catch (error) {
    void group?.remove();
    throw error;
  }
  const { sandbox, end } = ran;
  const failure = await afterRun(async () => {
    if (sandbox.status.childPid !== undefined) await processGone(sandbox.status.childPid);
    void group?.remove();
    return sandboxFailure(sandbox, end);
  });
  if (group?.isUsed === true) unenforced.delete("processes");
  return {
    ok: true,
    end: withScriptEnd(sandbox, end),
    unenforced: [...unenforced],
    ...(network && { network: network.uses() }),
    ...(failure && { failure }),
  };
}

/** What is to be covered. A view hides secret files itself, but for those that are new. */
function secretsOf({ checked }: Run, { root = checked.root, view }: ShownFolders): SecretFiles {
  if (root === undefined) return { paths: [], isComplete: true };
  if (view === undefined) return secretFilesIn(root);
  const paths = readdirSync(root).filter((name) => isSecretFile([name]));
  return { paths: paths.map((name) => join(root, name)), isComplete: view.hidesAllSecrets };
}

/** What the sandbox of a run shows, in one place. */
function planOf(
  { request: { hidden = [] }, checked: { limits, root: own, cwd }, prepared }: Run,
  files: SandboxFiles,
  { root = own, view, output, temporary }: ShownFolders,
  secrets: readonly string[],
  network: SandboxNetwork | undefined,
): SandboxPlan {
  const isShown = (path: string) =>
    view === undefined || view.merged.has(relative(root ?? "/", path).split(sep));
  const folders = [
    ...(root === undefined ? [] : [root]),
    ...["/usr", ...SYSTEM_FOLDERS].flatMap(realFolder),
  ];
  const visible = hidden.filter((path) => folders.some((folder) => isBelow(folder, path)));
  const covered = [...new Set([...secrets, ...visible])].filter(
    (path) => root === undefined || !isBelow(root, path) || isShown(path),
  );
  return {
    skill: prepared.snapshot?.directory,
    typescript: prepared.typescript,
    network: network?.folder,
    etc: files.etc,
    root,
    cwd,
    view,
    output,
    temporary,
    hidden: covered.flatMap((path) => coverOf(path, files)),
    binds: [...new Set([...prepared.binds, ...(network?.binds ?? [])])],
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

/**
 * Starts bubblewrap and follows it to its end. A process that was just forked is still in the
 * terminal's group, where Ctrl-C ends it: one that ended before anything ran is started again.
 */
async function runBubblewrap(
  directory: string,
  options: Omit<StartOptions, "pipes">,
  follow: Omit<SuperviseOptions, "pipes" | "terminate" | "kill">,
): Promise<{ readonly sandbox: StartedSandbox; readonly end: ChildEnd }> {
  for (let restarts = 0; ; restarts++) {
    const pipes = openOutputPipes(directory);
    const sandbox = startBubblewrap({ ...options, pipes });
    const end = await superviseChild(sandbox.child, {
      ...follow,
      pipes,
      terminate: () => sandbox.terminate(),
      kill: () => sandbox.kill(),
    });
    const wasStopped = end.timedOut || end.canceled || end.signal === null;
    if (wasStopped || sandbox.status.childPid !== undefined || restarts === MAX_RESTARTS) {
      return { sandbox, end };
    }
  }
}

/** Bubblewrap reports an exit code only for a command that ran. */
function sandboxFailure({ status }: StartedSandbox, end: ChildEnd): ExecutionFailure | undefined {
  const wasStopped = end.timedOut || end.canceled || end.signal !== null;
  if (status.exitCode !== undefined || wasStopped || end.startError !== undefined) return undefined;
  const why = end.stderr.text.trim().split("\n").at(-1) ?? "";
  return executionFailure("sandbox-failed", `the sandbox could not be set up: ${why}`);
}

/** The end of the command, where bubblewrap itself ended otherwise. */
function withScriptEnd({ status }: StartedSandbox, end: ChildEnd): ChildEnd {
  const exitCode = status.exitCode ?? end.exitCode;
  const number = (exitCode ?? 0) - 128;
  const [signal] = Object.entries(constants.signals).find(([, value]) => value === number) ?? [];
  return { ...end, exitCode, signal: end.signal ?? signal ?? null };
}

/** Whether the sandbox works here: runs something in exactly the one that scripts get. */
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

async function tryOnce(
  bubblewrap: string,
  directory: string,
): Promise<{ readonly ok: true } | ExecutionFailure> {
  const skill = join(directory, "skill");
  mkdirSync(skill);
  const { etc, filter } = sandboxFiles(sharedDirectory(directory));
  const nothing = { hidden: [], binds: [] };
  const { sandbox, end } = await runBubblewrap(
    directory,
    {
      ...(filter !== undefined && { filter }),
      bubblewrap,
      plan: { ...nothing, skill, etc, temporaryBytes: 1 << 20 },
      command: [trustedProgram("true") ?? "/bin/true"],
      env: {},
      hasInput: false,
    },
    { timeoutMs: PROBE_MS, outputBytes: 4096 },
  );
  if (sandbox.status.exitCode === 0) return { ok: true };
  const why = end.startError ?? (end.stderr.text.trim() || "it did not answer");
  return executionFailure(
    "sandbox-unusable",
    `bubblewrap is installed and does not work here: ${why}`,
    "User namespaces may be switched off: on Ubuntu install the package apparmor-profiles and load the profile bwrap-userns-restrict; elsewhere run sysctl -w kernel.unprivileged_userns_clone=1 user.max_user_namespaces=10000; in a container allow them. Bubblewrap must be 0.8 or newer.",
  );
}

/** For the distribution that this is, as far as that is known. */
function installCommand(): string {
  let text = "";
  try {
    text = readFileSync("/etc/os-release", "utf8");
  } catch {
    // Then the usual one is shown.
  }
  if (/^ID(?:_LIKE)?=.*(?:fedora|rhel|centos)/m.test(text)) return "dnf install bubblewrap";
  if (/^ID(?:_LIKE)?=.*arch/m.test(text)) return "pacman -S bubblewrap";
  if (/^ID(?:_LIKE)?=.*alpine/m.test(text)) return "apk add bubblewrap";
  if (/^ID(?:_LIKE)?=.*suse/m.test(text)) return "zypper install bubblewrap";
  return "apt-get install -y bubblewrap";
}
