import type { ScriptExecutor } from "@skillwright/core";
import { openTrustStore, type RegistryOptions, visibleLine } from "@skillwright/core/internal";
import { ClientApprover } from "@skillwright/mcp";
import {
  type Approver,
  type Audit,
  chainApprovers,
  createFlagApprover,
  createRedactor,
  policySettings,
} from "@skillwright/runtime";
import { decide, Gate, openApprovals, openAudit } from "@skillwright/runtime/internal";
import { realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { asAppFailure } from "../failure.ts";
import type { AppHost, PlaceOptions } from "../host.ts";
import {
  type ComposedRuntime,
  composeRuntime,
  executionOptions,
  noteRuleProblems,
  openSecrets,
  type RuntimeContext,
} from "../runtime/compose-runtime.ts";
import { SandboxCheck } from "../runtime/lazy-runtime.ts";
import {
  CALL_RECORD,
  callsDirectory,
  namedTools,
  newCallId,
  removeOldCalls,
} from "../runtime/session-runtime.ts";
import { registryOptions } from "../session/registry.ts";
import type { Session } from "../session/session.ts";

interface ServeRuntime {
  readonly audit: Audit;
  readonly gate: Gate;
  /** Puts questions to the client whose call is under way. */
  readonly approver: ClientApprover;
  /** Undefined where no script may run. */
  readonly executor?: ScriptExecutor;
  readonly close: () => Promise<void>;
}

interface ServeContext extends RuntimeContext {
  readonly options: RuntimeContext["options"] & {
    /** False: no script is offered. */
    readonly scripts?: boolean;
  };
}

/** What clients may do: under the policy of this command line, all of a serving in one record. */
export async function openServeRuntime(context: ServeContext): Promise<ServeRuntime> {
  const { session, options, host } = context;
  const { configuration, stateDirectory, project, home } = session;
  const { terminalOnly } = configuration.values.approvals;
  const named = namedTools(options);
  // What is wrong with the options is said before anything is written.
  executionOptions(session, options, host.cwd);
  noteRuleProblems(session, host);
  if (terminalOnly && named.length > 0) {
    host.note("note: --yes does not count, since approvals.terminalOnly is on");
  }
  const client = new ClientApprover();
  const flags = named.length > 0 && !terminalOnly ? [createFlagApprover(named)] : [];
  const approver: Approver = chainApprovers([...flags, client]);
  const runId = newCallId();
  const directory = join(callsDirectory(stateDirectory), runId);
  await removeOldCalls(stateDirectory, configuration.values);
  const approvals = await client.approvals((principal) =>
    openApprovals({ stateDirectory, runId, terminalOnly, ...(principal && { principal }) }),
  );
  const redactor = createRedactor({ env: host.env });
  const file = join(directory, CALL_RECORD);
  const audit = client.recording(openAudit({ file, stateDirectory, redactor }));
  const activeSkills = () => [];
  const settings = policySettings(configuration.values);
  const places = {
    workingDirectory: realpathSync(host.cwd),
    project: realpathSync(project),
    home,
  };
  const secrets = openSecrets(host, audit);
  const scope = { audit, approvals, approver, activeSkills, secrets };
  const gate = new Gate({ settings, places, ...scope });
  const request = { tool: "run_script", input: {}, settings, places, activeSkills: [] };
  const isOffered = options.scripts !== false && decide(request).decision !== "deny";
  if (!isOffered) return { audit, gate, approver: client, close: async () => audit.close() };
  const runtime = composeRuntime(context, { ...scope, directory });
  const executor = confinedExecutor(runtime, new SandboxCheck(host));
  const close = async () => {
    await audit.close();
    await runtime.close();
  };
  return { audit, gate, approver: client, executor, close };
}

/** Nobody is asked about a script that could not be held. */
function confinedExecutor(runtime: ComposedRuntime, sandbox: SandboxCheck): ScriptExecutor {
  const { executor } = runtime;
  return {
    canRun: (path) => executor.canRun(path),
    async run(request, context) {
      try {
        await sandbox.require(runtime);
        return await executor.run(request, context);
      } catch (error) {
        const { message, hint } = asAppFailure(error);
        return { ok: false, text: hint === undefined ? message : `${message}\n${hint}` };
      }
    },
  };
}

/** In the user's state: whom they trust, and what they switched off. */
const FILES = ["trust.json", "disabled.json"];

interface Decisions {
  readonly isTrusted: NonNullable<RegistryOptions["isTrusted"]>;
  readonly disabled: readonly string[];
}

/**
 * What the user decides about skills while a process goes on. What cannot be read trusts nothing; a
 * project that was not trusted when the process began is not until it begins anew, since nothing of
 * the project's configuration was read.
 */
export class LiveDecisions {
  readonly #session: Session;
  readonly #options: PlaceOptions;
  readonly #host: AppHost;
  /** The registry keeps it, so that it stays the same one. */
  readonly #disabled: string[] = [];
  #isTrusted: Decisions["isTrusted"] = () => false;
  #stamp: string | undefined;
  #folder: string | undefined;

  private constructor(session: Session, options: PlaceOptions, host: AppHost) {
    this.#session = session;
    this.#options = options;
    this.#host = host;
  }

  static async open(
    session: Session,
    options: PlaceOptions,
    host: AppHost,
  ): Promise<LiveDecisions> {
    const decisions = new LiveDecisions(session, options, host);
    decisions.#folder = await session.trust.folder(session.project);
    await decisions.haveChanged();
    return decisions;
  }

  /** The options of a registry that asks here at each of its looks. */
  readonly change = (given: RegistryOptions): RegistryOptions => ({
    ...given,
    disabled: this.#disabled,
    isTrusted: (skill, onlyFor) => this.#isTrusted(skill, onlyFor),
  });

  /** Whether they are others than at the last look, as far as the files tell. */
  readonly haveChanged = async (): Promise<boolean> => {
    const stamp = stampOf(this.#session);
    if (stamp === this.#stamp) return false;
    this.#stamp = stamp;
    this.#set(await this.#read());
    return true;
  };

  #set({ isTrusted, disabled }: Decisions): void {
    this.#isTrusted = isTrusted;
    this.#disabled.splice(0, this.#disabled.length, ...disabled);
  }

  async #read(): Promise<Decisions> {
    const session = this.#session;
    try {
      const trust = await openTrustStore(session.stateDirectory);
      const folder = await trust.folder(session.project);
      // Trust for this run holds until it is revoked.
      const isStill = folder === "trusted" || folder === this.#folder;
      const now = { ...session, trust, projectTrusted: session.projectTrusted && isStill };
      const { isTrusted = () => false, disabled = [] } = await registryOptions(
        now,
        this.#options,
        this.#host,
      );
      return { isTrusted, disabled };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#host.note(visibleLine(`warning: no skill is served for now: ${reason}`));
      return { isTrusted: () => false, disabled: [...this.#disabled] };
    }
  }
}

function stampOf({ stateDirectory }: Session): string {
  return FILES.map((name) => {
    const stats = statSync(join(stateDirectory, name), { throwIfNoEntry: false, bigint: true });
    return stats === undefined ? "none" : [stats.ino, stats.size, stats.mtimeNs].join(" ");
  }).join("\n");
}
