import type { Configuration } from "@skillwright/core";
import type { RunChanges } from "../changes/run-changes.ts";
import type { CommandRunner } from "./command/command-runner.ts";
import type { NetworkLookup, NetworkTransport } from "./network/network-transport.ts";

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
  /**
   * Files with a second name somewhere are refused, because that may be the name of a secret.
   * Package managers that link from a store make harmless ones. Default: false.
   */
  readonly allowHardLinks?: boolean;
  /** More files that are never written or deleted, as in `PROTECTED_FILES`. */
  readonly protectedFiles?: readonly string[];
  /** Runs commands in the sandbox; without it `run_command` answers that it is missing. */
  readonly commandRunner?: CommandRunner;
  /** Gets the output of commands as it comes. Must not throw. */
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
  /** What scripts of the same run changed: files are read as they left them. */
  readonly changes?: RunChanges;
  readonly transport?: NetworkTransport;
  readonly lookup?: NetworkLookup;
  /** The program to find candidates with; false for none. Default: looked up in trusted folders. */
  readonly ripgrep?: string | false;
  readonly clock?: () => Date;
}
