import { lstatSync } from "node:fs";
import type { SandboxPlan } from "./bubblewrap-arguments.ts";
import type { RunTask } from "./run-task.ts";
import type { BubblewrapOptions } from "./bubblewrap-options.ts";
import type { WritablePlaces } from "./control-files.ts";
import { limitArguments } from "./limit-arguments.ts";
import { relayLimits, type SandboxNetwork } from "./network/sandbox-network.ts";
import type { PreparedRun } from "./prepare-run.ts";
import type { SandboxFiles } from "./sandbox-files.ts";
import { secretsIn } from "./working-directory.ts";

/** Everything about a sandbox but the skill in it, the command and its environment. */
export interface SandboxShape {
  readonly plan: Omit<SandboxPlan, "skill" | "statusFd" | "blockFd" | "filterFd">;
  /** Stand before the command. */
  readonly before: readonly string[];
  /** For the group that limits them; root only, whom nothing else limits. */
  readonly processes?: number;
  readonly filter?: string;
  readonly temporaryDirectory?: string;
}

export interface ShapeParts {
  readonly prepared: PreparedRun;
  readonly places: WritablePlaces;
  readonly files: SandboxFiles;
  readonly network: SandboxNetwork | undefined;
  /** How many processes the script and what it needs may have. */
  readonly processes: number;
  /** For the limit that the kernel keeps for other users than root. */
  readonly counted: { readonly count: number } | undefined;
}

const MAX_TEMPORARY_BYTES = 64 * 1024 * 1024;

export function sandboxShape(task: RunTask<BubblewrapOptions>, parts: ShapeParts): SandboxShape {
  const { limits, cwd } = task.checked;
  const { secretFiles, temporaryDirectory } = task.options;
  const { prepared, places, files, network, processes, counted } = parts;
  const { typescript, interpreter } = prepared;
  const secrets = cwd === undefined || secretFiles === "visible" ? [] : secretsIn(cwd);
  return {
    plan: {
      ...(typescript === undefined ? {} : { typescript }),
      etc: files.etc,
      ...(cwd === undefined ? {} : { cwd }),
      writable: places.writable,
      readOnly: [...places.protectedPaths, ...places.placeholders],
      hidden: secrets.flatMap((path) => coverOf(path, files)),
      binds: [...new Set([...interpreter.binds, ...(network?.binds ?? [])])],
      ...(network === undefined ? {} : { network: network.folder }),
      temporaryBytes: Math.min(limits.fileBytes, MAX_TEMPORARY_BYTES),
    },
    before: [
      // The relay has limits of its own: a script could make it do its work.
      ...(network === undefined ? [] : limitArguments(relayLimits(limits), counted).args),
      ...(network?.relay ?? []),
      ...limitArguments(limits, counted).args,
    ],
    // One more for the first process of the sandbox, which is bubblewrap's.
    ...(counted === undefined ? { processes: processes + 1 } : {}),
    ...(files.filter === undefined ? {} : { filter: files.filter }),
    ...(temporaryDirectory === undefined ? {} : { temporaryDirectory }),
  };
}

/** A link cannot be covered; what it leads to is not in the sandbox unless it lies in the folder. */
function coverOf(path: string, { emptyFile, emptyFolder }: SandboxFiles) {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return [];
  return [{ path, by: stats.isDirectory() ? emptyFolder : emptyFile }];
}
