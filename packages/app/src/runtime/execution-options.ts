import { isAbsolute, join, relative, resolve } from "node:path";
import { createExecutor, type Executor } from "@skillwright/runtime";
import type { ApprovalStore, ScriptExecutorOptions } from "@skillwright/runtime/internal";
import { withEnvironments } from "@skillwright/runtime/environments";
import { leadsOut } from "@skillwright/core/internal";
import { limitFlag, type Session } from "../session/session.ts";
import { environmentStore } from "../environments.ts";
import { AppFailure } from "../failure.ts";

export interface RuntimeOptions {
  /** Each `--yes=run_script,…`; true for a bare `--yes`, which is an error. */
  readonly yes?: readonly string[] | true;
  readonly sandbox?: string;
  /** Folders in which changes of scripts are kept without asking; from the working directory on. */
  readonly writable?: readonly string[];
  /** Receives the output of scripts and commands as it comes, without secrets. Must not throw. */
  readonly onOutput?: ScriptExecutorOptions["onOutput"];
  /** For many runs of one command line: they share its limit of what runs at once. */
  readonly shared?: OpenedExecutor;
  /** Default: a store of its own for each run, in the state directory. */
  readonly approvals?: ApprovalStore;
}

/** What runs scripts and commands, and what holds them. */
export type OpenedExecutor = Pick<ScriptExecutorOptions, "executor" | "python" | "sandbox">;

/** How scripts and commands run; whether the sandbox works here is found out when the first one does. */
export function executionOptions(
  session: Session,
  options: RuntimeOptions,
  root: string,
): Omit<ScriptExecutorOptions, "gate"> {
  const { execution, workspace } = session.configuration.values;
  const { domains, memoryBytes, cpuSeconds, processes } = execution;
  return {
    ...(options.shared ?? openExecutor(session, options)),
    cwd: execution.freshDirectory ? "fresh" : root,
    limits: {
      timeoutMs: workspace.commandTimeoutSeconds * 1000,
      outputBytes: workspace.maxOutputSizeBytes,
      memoryBytes,
      cpuSeconds,
      processes,
    },
    network: domains.length === 0 ? "none" : { domains },
    ...(options.onOutput && { onOutput: options.onOutput }),
    // A fresh directory is all the script's own.
    writable: execution.freshDirectory ? [] : writableFolders(session, options, root),
  };
}

/** Scripts see only the working directory, so that a folder outside of it cannot be writable. */
function writableFolders(
  session: Session,
  { writable = [] }: RuntimeOptions,
  root: string,
): readonly string[] {
  const { configuration } = session;
  for (const folder of writable) {
    const path = relative(root, resolve(root, folder));
    limitFlag(session, `--writable ${folder}`, "execution.writable", [path]);
  }
  const outside = writable.find((folder) => leadsOut(root, folder));
  if (outside !== undefined) {
    const message = `--writable ${outside} is outside of the working directory`;
    const hint = `scripts see only ${root}; choose another with --cwd`;
    throw new AppFailure("usage", message, { hint });
  }
  // The user's configuration serves many projects: folders of the others do not count here.
  const configured = configuration.values.execution.writable.filter(
    (folder) => !leadsOut(root, folder),
  );
  return [...configured, ...writable];
}

/** What the flag or the configuration chooses. */
export function openExecutor(session: Session, { sandbox }: RuntimeOptions): OpenedExecutor {
  const { execution } = session.configuration.values;
  const chosen = createExecutor({
    sandbox:
      sandbox === undefined
        ? execution.sandbox
        : limitFlag(session, `--sandbox ${sandbox}`, "execution.sandbox", sandbox),
  });
  if (!chosen.ok) {
    const { message, hint } = chosen;
    throw new AppFailure("usage", message, hint === undefined ? {} : { hint });
  }
  const { executor } = chosen;
  const virtualEnvironment = virtualEnvironmentOf(session);
  const prepared = withEnvironments(executor, {
    store: environmentStore(session.cacheDirectory),
    command: (skill) => `skillwright env prepare ${skill}`,
  });
  return {
    executor:
      virtualEnvironment === undefined ? prepared : withEnvironment(prepared, virtualEnvironment),
    sandbox: chosen.sandbox,
    ...(virtualEnvironment !== undefined && { python: join(virtualEnvironment, "bin/python3") }),
  };
}

/** A relative one lies in the project, whose programs are not to be run before it is trusted. */
function virtualEnvironmentOf(session: Session): string | undefined {
  const { virtualEnvironment } = session.configuration.values.execution;
  if (virtualEnvironment === undefined) return undefined;
  const isOwn = isAbsolute(virtualEnvironment) || /^~(?:\/|$)/.test(virtualEnvironment);
  if (isOwn || session.projectTrusted) return fullPath(virtualEnvironment, session);
  throw new AppFailure(
    "usage",
    `the virtual environment ${virtualEnvironment} lies in a project that is not trusted`,
    { hint: "give its absolute path, or trust the project: skillwright trust" },
  );
}

function withEnvironment(executor: Executor, virtualEnvironment: string): Executor {
  return {
    probe: () => executor.probe(),
    run: (request, context) => executor.run({ ...request, virtualEnvironment }, context),
  };
}

/** Relative paths count from the project. */
export function fullPath(path: string, { home, project }: Session): string {
  const isInHome = path === "~" || path.startsWith("~/");
  return isInHome ? join(home, path.slice(1)) : resolve(project, path);
}
