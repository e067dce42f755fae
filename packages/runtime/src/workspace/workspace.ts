import type { Configuration } from "@skillwright/core/internal";
import { existsSync, realpathSync } from "node:fs";
import type { RunChanges } from "../changes/run-changes.ts";
import { relative, resolve, sep } from "node:path";
import type { CommandRunner } from "./command/command-runner.ts";
import type { NetworkLookup, NetworkTransport } from "./network/send-request.ts";

type Configured = Configuration["workspace"];
type Switches =
  | "enableReadFile"
  | "enableWriteFile"
  | "enableListDirectory"
  | "enableSearchFiles"
  | "enableRunCommand";
type Limits = "maxFileSizeBytes" | "commandTimeoutSeconds" | "maxOutputSizeBytes";

/** The switches and limits have the names and defaults of the `workspace` configuration. */
export interface WorkspaceOptions extends Partial<Pick<Configured, Switches | Limits>> {
  /** The working directory. It may itself be a link; what counts is where it leads now. */
  readonly root: string;
  /** Where deleted files go; made when needed. Inside the root, the tools cannot reach it. */
  readonly trash: string;
  /** Default: false. */
  readonly enableDeleteFile?: boolean;
  /** Default: false. */
  readonly enableNetworkRequest?: boolean;
  /** Hosts that may be asked: `example.com`, `*.example.com`, `example.com:8443`. Default: none. */
  readonly allowedDomains?: readonly string[];
  /** Default: 30. */
  readonly networkTimeoutSeconds?: number;
  /** Default: 10. */
  readonly searchTimeoutSeconds?: number;
  /** Runs commands in the sandbox; without it `run_command` answers that it is missing. */
  readonly commandRunner?: CommandRunner;
  /** Gets the output of commands as it comes. Must not throw. */
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
  /** What scripts of the same run changed: files are read as they left them. */
  readonly changes?: RunChanges;
  readonly transport?: NetworkTransport;
  readonly lookup?: NetworkLookup;
  readonly clock?: () => Date;
}

/** What every tool of one workspace knows. */
export interface Workspace {
  /** As it was given, made absolute. */
  readonly named: string;
  /** Its real path, to which everything is confined. Undefined if the folder does not exist. */
  readonly root: string | undefined;
  readonly trash: string;
  /** Patterns in addition to the built-in ones: no tool writes to the trash, wherever it is. */
  readonly protectedFiles: readonly string[];
  /** What scripts of the same run changed and what is not kept yet. */
  readonly changes: RunChanges | undefined;
  readonly maxFileBytes: number;
  readonly maxOutputBytes: number;
}

export function openWorkspace(options: WorkspaceOptions): Workspace {
  const root = realPath(options.root);
  const trash = resolve(options.trash);
  return {
    named: resolve(options.root),
    root,
    trash,
    protectedFiles: insideRoot(root, trash),
    changes: options.changes,
    maxFileBytes: options.maxFileSizeBytes ?? 10 * 1024 * 1024,
    maxOutputBytes: options.maxOutputSizeBytes ?? 102_400,
  };
}

function insideRoot(root: string | undefined, trash: string): string[] {
  if (root === undefined) return [];
  const path = relative(root, realPath(trash) ?? trash);
  return path === "" || path.startsWith("..") ? [] : [`/${path.split(sep).join("/")}/`];
}

function realPath(path: string): string | undefined {
  // Most trash is never made, and an error takes longer than a look.
  if (!existsSync(path)) return undefined;
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
