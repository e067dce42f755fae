import {
  type Model,
  type RunOptions,
  replayRun,
  resumeAgent,
  runAgent,
  summarizeRun,
} from "@skillwright/agent";
import type { Attachment, FileStore, RunConversation } from "@skillwright/agent/internal";
import type { Failure, Skills } from "@skillwright/core";
import { checkOptions, defined, oneOf, type OptionKinds } from "@skillwright/core/internal";
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
  RunWatch,
  StartedRun,
} from "./api.ts";
import { doctorChecks } from "./doctor/doctor.ts";
import { AppFailure, asValue } from "./failure.ts";
import type { AppHost } from "./host.ts";
import { closeServers } from "./mcp/mcp-session-skills.ts";
import { createPacks } from "./packs/app-packs.ts";
import {
  type AgentOptions,
  openSkillsOf,
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
import { answersOf, describeRun, findRun, listRuns, readRun, summaryOf } from "./runs/find-run.ts";
import { createChanges } from "./runs/held-changes.ts";
import { LiveRuns } from "./runs/live-runs.ts";
import { readAttachments } from "./runs/read-attachments.ts";
import { removeRuns, retentionOf } from "./runs/remove-runs.ts";
import { ApprovalQueue, createSessionPolicy } from "./runs/session-policy.ts";
import { noteRuleProblems, workspaceOptions } from "./runtime/compose-runtime.ts";
import { namedTools } from "./runtime/session-runtime.ts";
import { openSession, type Session } from "./session/session.ts";
import { createSkills, requireUsable } from "./skills/app-skills.ts";
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
  skills: "boolean",
  host: "object",
  version: "string",
};

/** Opens a project as a whole. What is wrong with its configuration is in `configuration.problems`. */
export async function openApp(options: AppOptions): Promise<App> {
  checkOptions("openApp", options, OPTIONS, ["cwd", "env"]);
  const queue = new ApprovalQueue();
  const host = hostOf(options, queue);
  const { root, source, config, settings, trust, sandbox, writable, approve, skills } = options;
  const agentOptions: AgentOptions = defined({
    root,
    source,
    config,
    settings,
    trust,
    sandbox,
    writable,
    skills,
    yes: approve,
  });
  // Wrong usage is reported before anything is opened.
  namedTools(agentOptions);
  return new OpenedApp(host, agentOptions, queue, await openSession(agentOptions, host));
}

function hostOf(
  { cwd, env, builtinDirectory, approver, logger, host, version = "0" }: AppOptions,
  queue: ApprovalQueue,
): AppHost {
  if (host !== undefined) {
    const { quiet, verbose } = host;
    return {
      cwd,
      env,
      builtinDirectory,
      version,
      quiet,
      verbose,
      note: (text) => host.note(text),
      progress: (text) => host.progress?.(text),
      person: () => host.person(),
      ...(host.piped && { piped: (maxBytes: number) => host.piped?.(maxBytes) ?? NO_BYTES }),
    };
  }
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

const NO_BYTES = Promise.resolve(Buffer.alloc(0));

interface Opened {
  readonly session: Session;
  readonly skills: Skills;
}

type Wanted = Pick<RunRequest, "model" | "modelParams">;
type Loose<T> = { readonly [Key in keyof T]: T[Key] | undefined };

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
  #hasRun = false;
  #session: Session;
  #opened: Promise<Opened> | undefined;

  constructor(host: AppHost, options: AgentOptions, queue: ApprovalQueue, session: Session) {
    this.#host = host;
    this.#options = options;
    this.#session = session;
    this.approvals = queue;
    const reopen = () => this.#reopen();
    this.packs = createPacks(options, host, reopen);
    this.skills = createSkills(() => this.#open(), reopen);
    this.changes = createChanges(host);
  }

  get project(): string {
    return this.#session.project;
  }

  get configuration(): Session["configuration"] {
    return this.#session.configuration;
  }

  get #store(): FileStore {
    return openRunStore(this.#session, this.#host);
  }

  async #reopen(): Promise<void> {
    const before = this.#opened;
    this.#session = await openSession(this.#options, this.#host);
    this.#opened = undefined;
    await (await before)?.skills.close();
  }

  /** The skills, looked for when they are needed first. Questions of trust are asked then. */
  #open(): Promise<Opened> {
    if (this.#opened !== undefined) return this.#opened;
    const opening = openSkillsOf(this.#session, this.#options, this.#host).then((opened) => {
      if (this.#opened === opening) this.#session = opened.session;
      return opened;
    });
    opening.catch(() => {
      if (this.#opened === opening) this.#opened = undefined;
    });
    return (this.#opened = opening);
  }

  startRun(request: RunRequest): Promise<StartedRun | Failure> {
    checkOptions("startRun", request, REQUEST, ["request"]);
    return asValue(async () => {
      const { skills = [], attachments = [], model, modelParams } = request;
      const opened = await this.#open();
      // What is wrong with the request is said before a model is opened.
      requireUsable(skills, opened.skills);
      const files = await this.#attached(attachments, opened);
      return this.#start(request, files, await this.#modelOf({ model, modelParams }, opened));
    });
  }

  #attached(paths: readonly string[], { session }: Opened): ReturnType<typeof readAttachments> {
    const { stateDirectory } = session;
    const { root, maxFileSizeBytes } = workspaceOptions(session, this.#host, stateDirectory);
    const maxBytes = maxFileSizeBytes ?? Infinity;
    return readAttachments(paths, { root, maxBytes }, this.#host.cwd, () => {
      const piped = this.#host.piped?.(maxBytes);
      if (piped !== undefined) return piped;
      throw new AppFailure("usage", "nothing is piped in here", { hint: "name files" });
    });
  }

  #modelOf({ model, modelParams }: Loose<Wanted>, { session }: Opened, answered?: number) {
    const wanted = defined({ model, modelParam: modelParams, answered });
    return openRunModel(wanted, session, this.#host);
  }

  #start(
    given: Omit<RunRequest, "model" | "modelParams">,
    attachments: readonly Attachment[],
    model: Model,
    conversation?: RunConversation,
  ): Promise<StartedRun | Failure> {
    const { request, skills: use = [], budget, route } = given;
    const store = this.#store;
    const more = {
      ...(use.length > 0 && { use }),
      ...(attachments.length > 0 && { attachments }),
      ...defined({ budget, conversation, route }),
    };
    return this.#work(undefined, given, async (surroundings, skills) => {
      const run = { ...surroundings, ...more, request, skills, model, store };
      return { ok: true, ...(await runAgent(run)) };
    });
  }

  resumeRun(id: string, request: ResumeRequest = {}): Promise<StartedRun | Failure> {
    checkOptions("resumeRun", request, RESUME);
    return asValue(async () => {
      const opened = await this.#open();
      const store = this.#store;
      const runId = await findRun(store, id);
      const { model, modelParams } = request;
      const recorded = summarizeRun(await readRun(store, runId)).model;
      return this.#resume(
        runId,
        request,
        model === undefined
          ? await openRecordedModel(recorded, opened.session, this.#host, modelParams)
          : await this.#modelOf({ model, modelParams }, opened, await answersOf(store, runId)),
      );
    });
  }

  async #resume(
    runId: string,
    request: ResumeRequest,
    model: Model,
  ): Promise<StartedRun | Failure> {
    const { budget, approve } = request;
    const store = this.#store;
    if (this.#live.isActive(runId)) {
      throw new AppFailure("no", `${runId} is being worked on`, { code: "run-active" });
    }
    return this.#work(runId, request, async (surroundings, skills) => {
      const resume = { ...surroundings, ...defined({ budget, approve }), runId, store, skills };
      const result = await resumeAgent({ ...resume, model });
      if (result.ok || result.code !== "approval-unknown") return result;
      // An id alone would be approved without a look at what it is for.
      return { hint: `see what it waits for: skillwright runs show ${runId}`, ...result };
    });
  }

  /** Comes back with the first event, which says how the run is called. */
  async #work(
    known: string | undefined,
    { onUpdate, signal: canceled, onLeave }: RunWatch,
    run: (surroundings: Surroundings, skills: Skills) => Promise<RunOutcome>,
  ): Promise<StartedRun | Failure> {
    const { session, skills } = await this.#open();
    noteRuleProblems(session, this.#host);
    await this.#removeOldRuns();
    const canceling = new AbortController();
    const stopping = new AbortController();
    const cancel = () => canceling.abort();
    canceled?.addEventListener("abort", cancel, { once: true });
    if (canceled?.aborted === true) cancel();
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
      onUpdate?.(update);
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
        onWalkAway: () => {
          onLeave?.();
          cancel();
        },
        offersCommands: true,
      },
    );
    const { signal } = canceling;
    const result = asValue(() =>
      run({ policy, signal, stop: stopping.signal, onEvent: publish }, skills),
    ).finally(() => {
      canceled?.removeEventListener("abort", cancel);
      end();
    });
    this.#hasRun = true;
    this.#working.add(result);
    const forget = () => this.#working.delete(result);
    result.then(forget, forget);
    await Promise.race([begun, result]);
    if (!hasBegun) {
      const ended = await result;
      if (!ended.ok) return ended;
    }
    return { ok: true, id: id ?? "", result, cancel, stop: () => stopping.abort() };
  }

  /** When the next run begins, and at the end: who asked for a run can still read it. */
  async #removeOldRuns(): Promise<void> {
    const retention = retentionOf(this.configuration.values);
    if (retention !== undefined) await removeRuns(this.#store, retention);
  }

  async listRuns(): Promise<readonly RunEntry[]> {
    const store = this.#store;
    const entries: RunEntry[] = [];
    for (const runId of await listRuns(store)) {
      const summary = await summaryOf(store, runId);
      if (summary?.parent !== undefined) continue;
      const isActive = this.#live.isActive(runId);
      const { startedAt = "", request = "", model = "", approval } = summary ?? {};
      const skills = [...new Set(summary?.skills.map(({ name }) => name))];
      const status = summary?.status ?? "damaged";
      const waits = approval === undefined ? undefined : { approval };
      entries.push({ runId, status, startedAt, request, model, skills, ...waits, isActive });
    }
    return entries;
  }

  readRun(id: string): ReturnType<App["readRun"]> {
    return asValue(async () => {
      const store = this.#store;
      return describeRun(store, await findRun(store, id));
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

  chat(id?: string, wanted: Wanted = {}): Promise<AppChat | Failure> {
    checkOptions("chat", wanted, WANTED);
    return asValue(async () => {
      const opened = await this.#open();
      const store = this.#store;
      let state =
        id === undefined
          ? NEW_CONVERSATION
          : await openConversation(store, await findConversation(store, id));
      const model =
        state.last === undefined || wanted.model !== undefined
          ? await this.#modelOf(wanted, opened)
          : await openRecordedModel(
              state.last.model,
              opened.session,
              this.#host,
              wanted.modelParams,
            );
      let isBusy = false;
      const settle = async (runId: string, result: RunOutcome) => {
        const conversation = result.ok ? result.conversation : undefined;
        state = await afterRun(store, state, runId, conversation);
        return result;
      };
      const oneAtATime = async (
        work: () => Promise<StartedRun | Failure>,
      ): Promise<StartedRun | Failure> => {
        if (isBusy) {
          const hint = "wait for the result of the last message, or cancel it";
          return { ok: false, code: "chat-busy", message: "a message is worked on", hint };
        }
        isBusy = true;
        const over = () => {
          isBusy = false;
        };
        const started = await asValue(work);
        if (!started.ok) {
          over();
          return started;
        }
        const result = started.result.then((ended) => settle(started.id, ended)).finally(over);
        return { ...started, result };
      };
      return {
        ok: true as const,
        model: model.id,
        get id() {
          return state.conversation.id;
        },
        get exchanges() {
          return state.conversation.exchanges;
        },
        get state() {
          return state;
        },
        say: (message) => {
          checkOptions("say", message, MESSAGE, ["request"]);
          return oneAtATime(async () => {
            requireUsable(message.skills ?? [], opened.skills);
            const files = await this.#attached(message.attachments ?? [], opened);
            return this.#start(message, files, model, state.conversation);
          });
        },
        goOn: (request = {}) => {
          checkOptions("goOn", request, GO_ON);
          return oneAtATime(async () => {
            if (state.last !== undefined) return this.#resume(state.last.runId, request, model);
            throw new AppFailure("no", "this conversation has no message yet");
          });
        },
      };
    });
  }

  stats(request: StatsRequest = {}): ReturnType<App["stats"]> {
    checkOptions("stats", request, STATS);
    return asValue(async () => {
      const { session, skills } = await this.#open();
      return skillStats(this.#store, skills.all, session.cacheDirectory, request);
    });
  }

  doctor(): ReturnType<App["doctor"]> {
    return doctorChecks(this.#options, this.#host);
  }

  async close(): Promise<void> {
    this.#live.cancelAll();
    await Promise.allSettled(this.#working);
    if (this.#hasRun) await this.#removeOldRuns();
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.skills.close();
    await closeServers(this.#host);
  }
}

const WATCH: OptionKinds<RunWatch> = {
  onUpdate: "function",
  signal: "object",
  onLeave: "function",
};

const WANTED: OptionKinds<Wanted> = { model: "string", modelParams: "strings" };

const MESSAGE: OptionKinds<Omit<RunRequest, keyof Wanted>> = {
  ...WATCH,
  request: "string",
  skills: "strings",
  budget: "object",
  attachments: "strings",
  route: oneOf("off", "hint", "auto"),
};

const REQUEST: OptionKinds<RunRequest> = { ...MESSAGE, ...WANTED };

const GO_ON: OptionKinds<Omit<ResumeRequest, keyof Wanted>> = {
  ...WATCH,
  budget: "object",
  approve: "string",
};

const RESUME: OptionKinds<ResumeRequest> = { ...GO_ON, ...WANTED };

const STATS: OptionKinds<StatsRequest> = { since: "number" };
