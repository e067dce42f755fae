import {
  type ResumeOptions,
  type RunOptions,
  replayRun,
  resumeAgent,
  runAgent,
  summarizeRun,
} from "@skillwright/agent";
import { type FileStore, type RunConversation } from "@skillwright/agent/internal";
import type { Failure, Skills } from "@skillwright/core";
import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type {
  App,
  AppChanges,
  AppChat,
  AppOptions,
  AppSkills,
  ResumeRequest,
  RunOutcome,
  RunEntry,
  RunRequest,
  RunUpdate,
  StartedRun,
} from "./api.ts";
import { doctorChecks } from "./doctor/doctor.ts";
import { AppFailure, asValue } from "./failure.ts";
import type { AppHost } from "./host.ts";
import { closeHost } from "./mcp/mcp-session-skills.ts";
import { createPacks } from "./packs/app-packs.ts";
import {
  type AgentOptions,
  openAgentSession,
  openRecordedModel,
  openRunModel,
  openRunStore,
} from "./runs/agent-session.ts";
import {
  afterRun,
  findConversation,
  NEW_CONVERSATION,
  openConversation,
} from "./runs/conversations.ts";
import { answersOf, findRun, listRuns, readRun, summaryOf } from "./runs/find-run.ts";
import { createChanges } from "./runs/held-changes.ts";
import { LiveRuns } from "./runs/live-runs.ts";
import { readAttachments } from "./runs/read-attachments.ts";
import { removeRuns, retentionOf } from "./runs/remove-runs.ts";
import { ApprovalQueue, createSessionPolicy } from "./runs/session-policy.ts";
import { workspaceOptions } from "./runtime/compose-runtime.ts";
import type { Session } from "./session/session.ts";
import { createSkills } from "./skills/app-skills.ts";
import { skillStats, type StatsRequest } from "./stats/stats.ts";

const OPTIONS: OptionKinds<AppOptions> = {
  cwd: "string",
  env: "object",
  builtinDirectory: "string",
  root: "strings",
  source: "string",
  config: "string",
  settings: "object",
  trust: "boolean",
  approve: "strings",
  sandbox: "string",
  writable: "strings",
  approver: (value) =>
    value === "none" || typeof Object(value)["ask"] === "function"
      ? undefined
      : 'an approver with ask, or "none"',
  logger: "object",
  version: "string",
};

/** Opens a project as a whole. What is wrong with its configuration is in `configuration.problems`. */
export async function openApp(options: AppOptions): Promise<App> {
  checkOptions("openApp", options, OPTIONS, ["cwd", "env"]);
  const queue = new ApprovalQueue();
  const host = hostOf(options, queue);
  const { root, source, config, settings, trust, sandbox, writable, approve } = options;
  const agentOptions: AgentOptions = {
    ...(root && { root }),
    ...(source !== undefined && { source }),
    ...(config !== undefined && { config }),
    ...(settings && { settings }),
    ...(trust !== undefined && { trust }),
    ...(sandbox !== undefined && { sandbox }),
    ...(writable && { writable }),
    ...(approve && { yes: approve }),
  };
  return new OpenedApp(host, agentOptions, queue, await openAgentSession(agentOptions, host));
}

function hostOf(
  { cwd, env, builtinDirectory, approver, logger, version = "0" }: AppOptions,
  queue: ApprovalQueue,
): AppHost {
  const asked = approver ?? queue;
  const person = asked === "none" ? undefined : { approver: () => asked };
  return {
    cwd,
    // A copy, because listing the variables of a process takes long.
    env: { ...env },
    builtinDirectory,
    version,
    verbose: false,
    quiet: false,
    note: (text) => logger?.warn(text),
    person: () => person,
  };
}

interface Opened {
  readonly session: Session;
  readonly skills: Skills;
}

type Surroundings = Required<Pick<RunOptions, "policy" | "signal" | "stop" | "onEvent">>;

class OpenedApp implements App {
  readonly approvals: ApprovalQueue;
  readonly packs: App["packs"];
  readonly skills: AppSkills;
  readonly changes: AppChanges;
  readonly #host: AppHost;
  readonly #options: AgentOptions;
  readonly #live = new LiveRuns();
  readonly #working = new Set<Promise<unknown>>();
  #opened: Opened;

  constructor(host: AppHost, options: AgentOptions, queue: ApprovalQueue, opened: Opened) {
    this.#host = host;
    this.#options = options;
    this.#opened = opened;
    this.approvals = queue;
    const reopen = () => this.#reopen();
    this.packs = createPacks(options, host, reopen);
    this.skills = createSkills(() => this.#opened, reopen);
    this.changes = createChanges(host);
  }

  get project(): string {
    return this.#opened.session.project;
  }

  get configuration(): Session["configuration"] {
    return this.#opened.session.configuration;
  }

  get #store(): FileStore {
    return openRunStore(this.#opened.session, this.#host);
  }

  async #reopen(): Promise<void> {
    const { skills } = this.#opened;
    this.#opened = await openAgentSession(this.#options, this.#host);
    await skills.close();
  }

  startRun(request: RunRequest): Promise<StartedRun | Failure> {
    checkOptions("startRun", request, REQUEST, ["request"]);
    return this.#start(request);
  }

  #start(
    { request, model, modelParams, skills: use = [], budget, attachments: files = [] }: RunRequest,
    conversation?: RunConversation,
  ): Promise<StartedRun | Failure> {
    return asValue(async () => {
      const { session, skills } = this.#opened;
      const { root, maxFileSizeBytes: maxBytes = Infinity } = workspaceOptions(
        session,
        this.#host,
        session.stateDirectory,
      );
      const attachments = await readAttachments(files, { root, maxBytes }, this.#host.cwd, () => {
        throw new AppFailure("usage", "nothing is piped in here", { hint: "name files" });
      });
      const opened = await openRunModel(
        { ...(model !== undefined && { model }), ...(modelParams && { modelParam: modelParams }) },
        session,
        this.#host,
      );
      const given = {
        ...(use.length > 0 && { use }),
        ...(attachments.length > 0 && { attachments }),
        ...(budget && { budget }),
        ...(conversation && { conversation }),
      };
      const store = this.#store;
      return this.#work(undefined, async (surroundings) => {
        const run = { ...surroundings, ...given, request, skills, model: opened, store };
        return { ok: true, ...(await runAgent(run)) };
      });
    });
  }

  resumeRun(id: string, request: ResumeRequest = {}): Promise<StartedRun | Failure> {
    checkOptions("resumeRun", request, RESUME);
    return asValue(async () => {
      const { session, skills } = this.#opened;
      const store = this.#store;
      const runId = await findRun(store, id);
      if (this.#live.isActive(runId)) {
        throw new AppFailure("no", `${runId} is being worked on`, { code: "run-active" });
      }
      const { model, modelParams = [], budget, approve } = request;
      const recorded = summarizeRun(await readRun(store, runId)).model;
      const opened =
        model === undefined
          ? await openRecordedModel(recorded, session, this.#host, modelParams)
          : await openRunModel(
              { model, modelParam: modelParams, answered: await answersOf(store, runId) },
              session,
              this.#host,
            );
      const given: Partial<ResumeOptions> = {
        ...(budget && { budget }),
        ...(approve !== undefined && { approve }),
      };
      return this.#work(runId, async (surroundings) => {
        const resume = { ...surroundings, ...given, runId, store, skills, model: opened };
        return resumeAgent(resume);
      });
    });
  }

  /** Comes back with the first event, which says how the run is called. */
  async #work(
    known: string | undefined,
    run: (surroundings: Surroundings) => Promise<RunOutcome>,
  ): Promise<StartedRun | Failure> {
    const { session, skills } = this.#opened;
    const canceling = new AbortController();
    const stopping = new AbortController();
    const cancel = () => canceling.abort();
    let id = known;
    let hasBegun = false;
    let end = known === undefined ? () => {} : this.#live.begin(known, cancel);
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const publish = (update: RunUpdate, runId: string) => {
      if (id === undefined) {
        id = runId;
        end = this.#live.begin(runId, cancel);
      }
      hasBegun = true;
      this.#live.publish(update, runId);
      begin();
    };
    const options = {
      ...this.#options,
      onOutput: (text: string, stream: "stdout" | "stderr") => {
        const runId = id ?? "";
        publish({ event: "script-output", data: { runId, stream, text } }, runId);
      },
    };
    const policy = createSessionPolicy(
      { session, skills, options, host: this.#host },
      {
        stop: ({ code = "missing", message, hint }) =>
          canceling.abort({ ok: false, code, message, ...(hint !== undefined && { hint }) }),
        onWalkAway: cancel,
        offersCommands: true,
      },
    );
    const { signal } = canceling;
    const working = asValue(() =>
      run({ policy, signal, stop: stopping.signal, onEvent: publish }),
    ).finally(() => end());
    const result = working.then(async (ended) => {
      const retention = retentionOf(session.configuration.values);
      if (retention !== undefined) await removeRuns(this.#store, retention);
      return ended;
    });
    this.#working.add(result);
    const forget = () => this.#working.delete(result);
    result.then(forget, forget);
    await Promise.race([begun, working]);
    if (!hasBegun) {
      const ended = await result;
      if (!ended.ok) return ended;
    }
    return { ok: true, id: id ?? "", result, cancel, stop: () => stopping.abort() };
  }

  async listRuns(): Promise<readonly RunEntry[]> {
    const store = this.#store;
    const entries: RunEntry[] = [];
    for (const runId of await listRuns(store)) {
      const summary = await summaryOf(store, runId);
      if (summary?.parent !== undefined) continue;
      const isActive = this.#live.isActive(runId);
      const { startedAt = "", request = "", model = "", approval } = summary ?? {};
      const status = summary?.status ?? "damaged";
      const waits = approval === undefined ? undefined : { approval };
      entries.push({ runId, status, startedAt, request, model, ...waits, isActive });
    }
    return entries;
  }

  readRun(id: string): ReturnType<App["readRun"]> {
    return asValue(async () => {
      const store = this.#store;
      const records = await readRun(store, await findRun(store, id));
      return { ok: true as const, summary: summarizeRun(records), records };
    });
  }

  replayRun(id: string): ReturnType<App["replayRun"]> {
    return asValue(async () => {
      const store = this.#store;
      return replayRun(await readRun(store, await findRun(store, id)));
    });
  }

  subscribe(
    runId: string,
    fromSequence = 0,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncIterable<RunUpdate> {
    return this.#live.subscribe(this.#store, runId, fromSequence, signal);
  }

  chat(id?: string): Promise<AppChat | Failure> {
    return asValue(async () => {
      const store = this.#store;
      let state =
        id === undefined
          ? NEW_CONVERSATION
          : await openConversation(store, await findConversation(store, id));
      let isBusy = false;
      const settle = async (result: RunOutcome) => {
        if (result.ok) state = await afterRun(store, state, result.runId, result.conversation);
        return result;
      };
      return {
        ok: true as const,
        get id() {
          return state.conversation.id;
        },
        get exchanges() {
          return state.conversation.exchanges;
        },
        say: async (message): Promise<StartedRun | Failure> => {
          checkOptions("say", message, REQUEST, ["request"]);
          if (isBusy) {
            const hint = "wait for the result of the last message, or cancel it";
            return { ok: false, code: "chat-busy", message: "a message is worked on", hint };
          }
          isBusy = true;
          const started = await this.#start(message, state.conversation);
          if (!started.ok) {
            isBusy = false;
            return started;
          }
          const result = started.result.then(settle).finally(() => {
            isBusy = false;
          });
          return { ...started, result };
        },
      };
    });
  }

  stats(request: StatsRequest = {}): ReturnType<App["stats"]> {
    checkOptions("stats", request, STATS);
    const { session, skills } = this.#opened;
    return asValue(() => skillStats(this.#store, skills.all, session.cacheDirectory, request));
  }

  doctor(): ReturnType<App["doctor"]> {
    return doctorChecks(this.#options, this.#host);
  }

  async close(): Promise<void> {
    this.#live.cancelAll();
    await Promise.allSettled(this.#working);
    await this.#opened.skills.close();
    await closeHost(this.#opened.skills);
  }
}

const REQUEST: OptionKinds<RunRequest> = {
  request: "string",
  model: "string",
  modelParams: "strings",
  skills: "strings",
  budget: "object",
  attachments: "strings",
};

const RESUME: OptionKinds<ResumeRequest> = {
  model: "string",
  modelParams: "strings",
  budget: "object",
  approve: "string",
};

const STATS: OptionKinds<StatsRequest> = { since: "number" };
