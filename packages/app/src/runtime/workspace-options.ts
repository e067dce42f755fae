import { join } from "node:path";
import type { WorkspaceOptions } from "@skillwright/runtime/internal";
import type { Session } from "../session/session.ts";
import { fullPath } from "./execution-options.ts";
import type { AppHost } from "../host.ts";

/** The workspace of this command line: what configuration offers, in the folder that it is started in. */
export function workspaceOptions(
  session: Session,
  { cwd }: AppHost,
  runDirectory: string,
): WorkspaceOptions {
  const { workspace, policy, execution } = session.configuration.values;
  const { workingDirectory } = workspace;
  return {
    root: workingDirectory === "." ? cwd : fullPath(workingDirectory, session),
    // With the record of the run, where no tool reaches it.
    trash: join(runDirectory, "trash"),
    enableReadFile: workspace.enableReadFile,
    enableListDirectory: workspace.enableListDirectory,
    enableSearchFiles: workspace.enableSearchFiles,
    enableWriteFile: workspace.enableWriteFile,
    enableRunCommand: workspace.enableRunCommand,
    enableDeleteFile: policy.enableDeleteFile,
    enableNetworkRequest: policy.enableNetworkRequest,
    maxFileSizeBytes: workspace.maxFileSizeBytes,
    maxOutputSizeBytes: workspace.maxOutputSizeBytes,
    commandTimeoutSeconds: workspace.commandTimeoutSeconds,
    allowedDomains: execution.domains,
  };
}
