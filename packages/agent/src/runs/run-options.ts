import type { DrivenRun } from "../loop/drive-run.ts";
import type {
  Conversation as SkillConversation,
  Failure,
  SkillRecord,
  Skills,
  SkillTool,
  Tracer,
} from "@skillwright/core";
import type { JsonSchema } from "@skillwright/core/internal";
import type { Audit, AuditRecord, Runtime } from "@skillwright/runtime";
import type { PolicySkill } from "@skillwright/runtime/internal";
import type { Attachment, ChildEnd, RunEvent, RunStart } from "../events/run-event.ts";
import type { Budget } from "../loop/budget.ts";
import type { Model } from "../models/model.ts";
import type { Conversation } from "./conversation.ts";
import type { RunStore } from "./run-store.ts";

/** What a run may do. Without a policy, the agent can load skills and answer, and nothing else. */
export interface RunPolicy {
  /** Called once for each run, and again when it is resumed. Fails when `approve` does not count. */
  open(context: PolicyContext): Promise<Runtime | Failure> | Runtime;
}

interface PolicyContext {
  readonly runId: string;
  /** The run's record, which also takes what passes the gate. */
  readonly audit: Audit;
  /** Earlier records, when the run is resumed. */
  readonly records: readonly AuditRecord[];
  /** The active skills, with what they declare. */
  readonly activeSkills: () => Promise<readonly PolicySkill[]>;
  /**
   * Names of known secrets that were read so far, by the messages before this run and by its children too.
   * Give it to `createSecrets` as `read`.
   */
  readonly secretNames: () => readonly string[];
  /** The id of the approval that a person gives; its request is in the records. */
  readonly approve?: string;
}

interface AnswerOptions {
  /** The JSON Schema that the answer has to fit. */
  readonly schema: JsonSchema;
}

export interface RunOptions {
  /** What the person asks for; `/skill-name …` calls a skill directly. */
  readonly request: string;
  /** All skills, or those of a conversation: the run has a context of its own. */
  readonly skills: Skills | SkillConversation;
  readonly model: Model;
  /** Default: nothing but skills and answers. */
  readonly policy?: RunPolicy;
  /** Default: 40 turns, 100 tool calls, 30 scripts, 500,000 tokens, 30 minutes. */
  readonly budget?: Partial<Budget>;
  /** Skills that are active from the beginning, as `name` or `name@source`. */
  readonly use?: readonly string[];
  readonly attachments?: readonly Attachment[];
  /** The conversation to continue. */
  readonly conversation?: Conversation;
  readonly signal?: AbortSignal;
  /** Lets the current step finish; then the run ends as `canceled`. */
  readonly stop?: AbortSignal;
  /**
   * Receives every event of the run and its children once it is written, with the run that it belongs to,
   * and text while it streams. Must not throw.
   */
  readonly onEvent?: (event: RunEvent, runId: string) => void;
  /**
   * Matches the request with the catalog before the first turn. A clear winner is named to the model
   * ("hint"), or loaded first where the catalog's own trigger examples show that such a margin is right
   * ("auto"). Default: "hint", and "off" for more than 500 skills.
   */
  readonly route?: "off" | "hint" | "auto";
  /** Keeps the date and paths of this machine out of the prompt, so that another run gets the same one. */
  readonly isRepeatable?: boolean;
  /** The host's system prompt; it comes before ours. */
  readonly system?: string;
  /** Asks for an answer as JSON of a schema; `RunResult.output` has it. */
  readonly answer?: AnswerOptions;
  /** Where the run is recorded. Default: in memory. */
  readonly store?: RunStore;
  /** Tools of the host, which is responsible for their policy. */
  readonly tools?: readonly SkillTool[];
  /** Tokens that the catalog may take. Default 4,000, or an eighth of a small context. */
  readonly catalogTokens?: number;
  /** Makes spans of the run and its model calls, of loads and reads: a tracer of `@opentelemetry/api`. */
  readonly tracer?: Tracer;
  /** Milliseconds that never go back. */
  readonly clock?: () => number;
  /** Names new runs. */
  readonly ids?: () => string;
  /** For child runs only. */
  readonly child?: Required<Pick<RunStart, "parent" | "skill">> &
    Pick<RunStart, "invoked" | "secretNames">;
}

export interface FullRunOptions extends RunOptions {
  readonly store: RunStore;
  readonly ids: () => string;
  /** The approval with which a resumed run goes on, for the child that waits for it. */
  readonly approve?: string;
  /** Works a skill through in a child run. */
  readonly runChild: (run: ParentRun, skill: SkillRecord, turn: number) => Promise<ChildEnd>;
}

/** What a child run takes from the run that it belongs to. */
export interface ParentRun extends Pick<DrivenRun, "id" | "state" | "signal" | "record" | "flush"> {
  readonly options: FullRunOptions;
}
