import type { Budget, RunEvent, RunResult, RunSummary, replayRun } from "@skillwright/agent";
import type { Failure, Logger, SkillRecord, Skills } from "@skillwright/core";
import type { LoadedConfiguration } from "@skillwright/core/internal";
import type {
  installSkills,
  outdatedSkills,
  PackProgress,
  restoreSkills,
  undoLast,
  uninstallSkills,
  updateSkills,
  verifyInstalled,
} from "@skillwright/packs";
import type {
  ApprovalDecision,
  ApprovalRequest,
  Approver,
  AuditRecord,
} from "@skillwright/runtime";
import type { Change } from "@skillwright/runtime/internal";
import type { Check } from "./doctor/doctor.ts";
import type { AppHost } from "./host.ts";
import type { RunConversation, RunUsage } from "@skillwright/agent/internal";
import type { SessionOptions } from "./session/session.ts";
import type { SkillStats, StatsRequest } from "./stats/stats.ts";

// The contract of this package. Methods take and return plain data. An expected failure is a value
// `{ ok: false, code, message, hint? }`; a wrong option name or type throws, and so does a bug. Nothing
// is written to stdout or stderr, and the process never ends from here.

export interface AppOptions extends Pick<
  SessionOptions,
  "root" | "source" | "config" | "settings"
> {
  /** The project, or a folder in it. Relative paths count from here. */
  readonly cwd: string;
  /** The environment: keys of models, `HOME`, `XDG_STATE_HOME`. Nothing else of the process is read. */
  readonly env: AppHost["env"];
  /** The folder of skills that come with the program. */
  readonly builtinDirectory?: string;
  /** Trusts the project while this application is open. Nothing is stored. */
  readonly trust?: boolean;
  /** Tools that are approved without asking, as `--yes` names them. */
  readonly approve?: readonly string[];
  /** `auto`, `bubblewrap`, `sandbox-runtime` or `none`. Default: what is configured. */
  readonly sandbox?: string;
  /** Folders in which changes of scripts are kept without asking, from the working directory on. */
  readonly writable?: readonly string[];
  /**
   * Who decides about approvals. Default: the queue in `approvals`, where a run waits for an answer.
   * `none`: a run that needs an approval ends as `needs_approval`, and can be resumed with it.
   */
  readonly approver?: Approver | "none";
  /** Receives notes and warnings. Default: they are dropped. */
  readonly logger?: Logger;
  /** False: without any skill. */
  readonly skills?: boolean;
  /** For a program that talks to a person by itself. Takes the place of `approver` and `logger`. */
  readonly host?: Pick<AppHost, "note" | "person" | "quiet" | "verbose"> &
    Partial<Pick<AppHost, "progress" | "piped">>;
  /** Of the program, for MCP servers it talks to. */
  readonly version?: string;
}

/** Who follows a run from its first event on. The functions must not throw. */
export interface RunWatch {
  /** Receives what `subscribe` gives, at once and in order. */
  readonly onUpdate?: (update: RunUpdate) => void;
  /** Cancels the run. */
  readonly signal?: AbortSignal;
  /** The person who was asked left without an answer. The run is canceled. */
  readonly onLeave?: () => void;
}

/** What a run is asked to do. */
export interface RunRequest extends RunWatch {
  readonly request: string;
  /** `provider:name`, `offline` or `mock:<file>`. Default: what is configured. */
  readonly model?: string;
  /** `name=value`. */
  readonly modelParams?: readonly string[];
  /** Skills that are active from the beginning, as `name` or `name@source`. */
  readonly skills?: readonly string[];
  readonly budget?: Partial<Budget>;
  /** Paths of files in the working directory; `-` for what is piped into the program. */
  readonly attachments?: readonly string[];
  /** What becomes of a skill that clearly fits: named to the model, loaded first, or nothing. Default: "hint". */
  readonly route?: "off" | "hint" | "auto";
}

export interface ResumeRequest
  extends RunWatch, Pick<RunRequest, "model" | "modelParams" | "budget"> {
  /** The id of the approval that the run waits for. */
  readonly approve?: string;
}

/** How a run ended, or why it could not go on. */
export type RunOutcome = ({ readonly ok: true } & RunResult) | Failure;

/** A run that is under way in this process. */
export interface StartedRun {
  readonly ok: true;
  readonly id: string;
  /** Never rejects for an expected failure. */
  readonly result: Promise<RunOutcome>;
  /** Ends it now as `canceled`; it can be resumed. */
  cancel(): void;
  /** Lets the current step finish first. */
  stop(): void;
}

/** Output of a script or command as it comes. Shown, never recorded. */
export interface ScriptOutput {
  readonly event: "script-output";
  readonly data: {
    readonly runId: string;
    readonly stream: "stdout" | "stderr";
    readonly text: string;
  };
}

/**
 * The process that worked on the run is gone, and its record has no end. The run can be resumed. The last
 * update of a subscription.
 */
export interface RunAbandoned {
  readonly event: "run-abandoned";
  readonly data: { readonly runId: string };
}

/** A recorded event, which has a `sequence`, or one that is only shown, which has none. */
export type RunUpdate = RunEvent | ScriptOutput | RunAbandoned;

export interface RecordedRun {
  readonly ok: true;
  readonly summary: RunSummary;
  /** As written and verified, the oldest first. */
  readonly records: readonly AuditRecord[];
  /** Where the record lies. */
  readonly folder: string;
  /** The call that it waits for, as recorded. */
  readonly waiting?: ApprovalRequest;
  /** What its scripts left for the user. */
  readonly outputFiles: readonly { readonly path: string; readonly bytes: number }[];
}

export type RunEntry = Pick<
  RunSummary,
  "runId" | "startedAt" | "request" | "model" | "approval"
> & {
  /** `damaged`: its record is not as it was written. */
  readonly status: RunSummary["status"] | "damaged";
  /** Names of the skills that it used. */
  readonly skills: readonly string[];
  /** Whether this process works on it. */
  readonly isActive: boolean;
};

/** A call that waits for an answer. */
export interface PendingApproval {
  readonly id: string;
  readonly runId: string;
  /** What would be done: tool, skill with digest, script, arguments, what it may write and reach. */
  readonly request: Omit<ApprovalRequest, "signature" | "version">;
}

/** What a person answered to it. `scope` is one of the request's `scopes`; default `once`. */
export type ApprovalAnswer = Pick<ApprovalDecision, "approved"> &
  Partial<Pick<ApprovalDecision, "scope" | "anyArguments" | "allOfKind" | "only" | "reason">>;

/**
 * Approvals of this application's runs. Several people may look; the first answer counts. A request that
 * only a person at a terminal may approve never waits here: its run ends as `needs_approval`.
 */
export interface AppApprovals {
  pending(): readonly PendingApproval[];
  /** All of the script that a request is about. A wide approval of a long script counts only after this. */
  source(id: string): string | undefined;
  answer(id: string, answer: ApprovalAnswer): { readonly ok: true } | Failure;
  /** Calls back when a request comes or goes. Gives the function that ends this. */
  onChange(listener: () => void): () => void;
}

export interface ChangeList {
  readonly ok: true;
  readonly runId: string;
  /** What scripts changed and nobody has decided about. */
  readonly pending: readonly ChangeEntry[];
  /** Paths of what was kept and can be undone. */
  readonly kept: readonly string[];
}

export interface ChangeEntry extends Pick<Change, "path" | "kind" | "conflict" | "refused"> {
  readonly bytesBefore?: number;
  readonly bytes?: number;
}

export interface ChangesSettled {
  readonly ok: true;
  readonly applied: readonly ChangeEntry[];
  /** What is not as it was when the script ran, with the reason. */
  readonly conflicts: readonly { readonly path: string; readonly reason: string }[];
}

/** Changes of scripts that are held with a run. Without paths, all of them are meant. */
export interface AppChanges {
  list(runId: string): Promise<ChangeList | Failure>;
  /** As a unified diff. */
  diff(runId: string, paths?: readonly string[]): Promise<{ ok: true; text: string } | Failure>;
  keep(runId: string, paths?: readonly string[]): Promise<ChangesSettled | Failure>;
  discard(runId: string, paths?: readonly string[]): Promise<ChangesSettled | Failure>;
  undo(runId: string, paths?: readonly string[]): Promise<ChangesSettled | Failure>;
}

export interface AppSkills {
  /** The registry itself: search, conversations, diagnostics. Another one after `trust` and switches. */
  registry(): Promise<Skills>;
  list(): Promise<readonly SkillRecord[]>;
  /** Why a skill is there, is shadowed, or is not offered. */
  explain(name: string): Promise<ReturnType<Skills["explain"]>>;
  /** Looks again at the folders. */
  refresh(): Promise<void>;
  enable(name: string): Promise<{ ok: true; changed: boolean } | Failure>;
  disable(name: string): Promise<{ ok: true; changed: boolean } | Failure>;
  /** Without a name: the project's folder. With one: that skill as it is now. */
  trust(name?: string): Promise<{ ok: true } | Failure>;
  untrust(name?: string): Promise<{ ok: true } | Failure>;
}

/** A conversation between two runs. */
export interface ConversationState {
  /** What the next run begins with. */
  readonly conversation: RunConversation;
  /** The last run; undefined before the first one. */
  readonly last?: RunSummary;
  /** Of all its runs that are still there. */
  readonly usage: RunUsage;
  /** Runs that are gone, so that their use is not counted. */
  readonly uncounted: number;
}

/** A conversation: each message is a run that goes on from those before. */
export interface AppChat {
  readonly ok: true;
  /** The id of its first run; empty before that. */
  readonly id: string;
  readonly exchanges: readonly { readonly request: string; readonly answer: string }[];
  /** What the next message goes on from, with the last run and what all of them used. */
  readonly state: ConversationState;
  /** The id of the model that answers. */
  readonly model: string;
  /** One message at a time: fails with `chat-busy` while the last one is worked on. */
  say(message: Omit<RunRequest, "model" | "modelParams">): Promise<StartedRun | Failure>;
  /** Continues the run of the last message. */
  goOn(request?: Omit<ResumeRequest, "model" | "modelParams">): Promise<StartedRun | Failure>;
}

export interface PackRequest {
  /** Default: the project. */
  readonly source?: "project" | "user";
  /** Any folder of skills. */
  readonly target?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PackProgress) => void;
}

/** Installed skills, under the keys, limits and severity that the configuration sets. */
export interface AppPacks {
  install(
    from: string,
    request?: PackRequest & { readonly skills?: readonly string[]; readonly all?: boolean },
  ): ReturnType<typeof installSkills>;
  restore(request?: PackRequest): ReturnType<typeof restoreSkills>;
  update(names?: readonly string[], request?: PackRequest): ReturnType<typeof updateSkills>;
  outdated(names?: readonly string[], request?: PackRequest): ReturnType<typeof outdatedSkills>;
  uninstall(names: readonly string[], request?: PackRequest): ReturnType<typeof uninstallSkills>;
  verify(names?: readonly string[], request?: PackRequest): ReturnType<typeof verifyInstalled>;
  undo(request?: PackRequest): ReturnType<typeof undoLast>;
}

/** Everything that a program on top of Skillwright needs, for one project. */
export interface App {
  /** The project's folder. */
  readonly project: string;
  /** Values, where each comes from, and what is wrong with them. */
  readonly configuration: LoadedConfiguration;
  readonly skills: AppSkills;
  readonly approvals: AppApprovals;
  readonly changes: AppChanges;
  readonly packs: AppPacks;
  /** Comes back once the run is on record, or with the reason why there is none. */
  startRun(request: RunRequest): Promise<StartedRun | Failure>;
  /** Continues a run that was stopped or cut off, or that waits. */
  resumeRun(runId: string, request?: ResumeRequest): Promise<StartedRun | Failure>;
  /** The runs of the project, the newest first, without child runs. */
  listRuns(): Promise<readonly RunEntry[]>;
  /** By its id or how that begins. */
  readRun(runId: string): Promise<RecordedRun | Failure>;
  /** Drives the loop once more from the record; no model is asked and nothing is done. */
  replayRun(runId: string): Promise<Awaited<ReturnType<typeof replayRun>> | Failure>;
  /**
   * The events of a run with a sequence above `fromSequence`, in order, none left out and none twice, then
   * those that follow, until the run ends or `signal` aborts. A run of this process also gives deltas.
   * For a run that another process works on, its record is followed; when that process is gone without an
   * end, `run-abandoned` is the last update. A resumed run is subscribed to again.
   * Iterating throws an `AppFailure` for an unknown run and for a record that is not as it was written.
   */
  subscribe(
    runId: string,
    fromSequence?: number,
    options?: { readonly signal?: AbortSignal },
  ): AsyncIterable<RunUpdate>;
  /** A new conversation, or the one with this id. Default model: that of its last run, or what is configured. */
  chat(
    id?: string,
    options?: Pick<RunRequest, "model" | "modelParams">,
  ): Promise<AppChat | Failure>;
  /** What each skill did and cost, from the records of the project's runs. */
  stats(request?: StatsRequest): Promise<SkillStats | Failure>;
  /** What a skill may need on this machine. */
  doctor(): Promise<readonly Check[]>;
  /** Cancels the runs of this process, waits until they are on record, and ends servers and watchers. */
  close(): Promise<void>;
}
