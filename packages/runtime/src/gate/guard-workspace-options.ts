import type { WorkspaceOptions } from "../workspace/workspace.ts";
import type { Gate } from "./gate.ts";

export interface GuardWorkspaceOptions {
  readonly gate: Gate;
  readonly workspace: WorkspaceOptions;
}
