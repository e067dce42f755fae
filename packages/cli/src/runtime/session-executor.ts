import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { ScriptExecutor } from "@skillwright/core";
import {
  chainApprovers,
  chooseExecutor,
  createFlagApprover,
  createRedactor,
  createScriptExecutor,
  denyApprover,
  Gate,
  openApprovals,
  openAudit,
  parseYesFlag,
  policySettings,
  type Approver,
} from "@skillwright/runtime";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import type { Session } from "../session.ts";
import { createTerminalApprover } from "./terminal-approver.ts";

export interface RuntimeOptions {
  /** `--yes=run_script,…`; true for a bare `--yes`, which is an error. */
  readonly yes?: string | boolean;
  readonly sandbox?: string;
}

export interface SessionExecutor {
  readonly executor: ScriptExecutor;
  /** Whether something waits for an approval that nobody was there to give. */
  readonly isWaiting: () => boolean;
  close(): void;
}

/** Runs scripts for this command line: under its policy, with its approvals, on the record. */
export async function openSessionExecutor(
  session: Session,
  options: RuntimeOptions,
  console: Console,
): Promise<SessionExecutor> {
  const { configuration, stateDirectory, project, home } = session;
  const { values } = configuration;
  const sandbox = options.sandbox ?? values.execution.sandbox;
  const executor = await chooseExecutor({ sandbox });
  if ("ok" in executor) {
    const { message, hint } = executor;
    throw new CommandFailure(EXIT.missing, message, hint === undefined ? {} : { hint });
  }
  if (sandbox === "none") console.note("warning: scripts run without a sandbox");
  const runId = `${timestamp()}-${randomUUID().slice(0, 8)}`;
  const redactor = createRedactor({ env: console.env });
  const audit = openAudit({
    file: join(stateDirectory, "calls", `${runId}.jsonl`),
    stateDirectory,
    redactor,
  });
  const cwd = realpathSync(console.cwd);
  let waiting = false;
  const gate = new Gate({
    settings: policySettings(values),
    places: { workingDirectory: cwd, project: realpathSync(project), home },
    activeSkills: () => [],
    approvals: await openApprovals({ stateDirectory, runId }),
    approver: approverOf(options, console, () => {
      waiting = true;
    }),
    audit,
  });
  return {
    executor: createScriptExecutor({
      gate,
      executor,
      cwd,
      sandbox: sandbox === "none" ? "none" : "bubblewrap",
      limits: {
        timeoutMs: values.workspace.commandTimeoutSeconds * 1000,
        outputBytes: values.workspace.maxOutputSizeBytes,
      },
    }),
    isWaiting: () => waiting,
    close: () => audit.close(),
  };
}

/** The flag first, then a person at the terminal; when nobody is there the call waits. */
function approverOf(options: RuntimeOptions, console: Console, onWaiting: () => void): Approver {
  const approvers: Approver[] = [];
  if (options.yes !== undefined) {
    const named = parseYesFlag(options.yes);
    if (!named.ok) {
      const { message, hint } = named;
      throw new CommandFailure(EXIT.usage, message, hint === undefined ? {} : { hint });
    }
    approvers.push(createFlagApprover(named.tools));
  }
  if (console.canAsk) approvers.push(createTerminalApprover(console));
  approvers.push({
    ask(request, context) {
      onWaiting();
      return denyApprover.ask(request, context);
    },
  });
  return chainApprovers(approvers);
}

function timestamp(): string {
  return new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
}
