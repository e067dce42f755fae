import type { JsonSchema, Skills, SkillTool } from "@skillwright/core";
import type { Budget } from "../budget/budget.ts";
import type { RunEvent, RunStart } from "../events/run-event.ts";
import type { Model } from "../models/model.ts";
import type { Attachment } from "../events/run-event.ts";
import type { Conversation } from "./conversation.ts";
import type { RunStore } from "./run-log.ts";
import type { RunPolicy } from "./run-policy.ts";

export interface AnswerOptions {
  /** The JSON Schema that the answer has to fit. */
  readonly schema: JsonSchema;
}

export interface OpenRunOptions {
  /** What the person asks for; `/skill-name …` calls a skill directly. */
  readonly request: string;
  readonly skills: Skills;
  readonly model: Model;
  /** Default: nothing but skills and answers. */
  readonly policy?: RunPolicy;
  /** Default: 40 turns, 100 tool calls, 30 scripts, 500,000 tokens, 30 minutes. */
  readonly budget?: Partial<Budget>;
  /** Skills that the person wants used, as `name` or `name@source`: active from the beginning. */
  readonly use?: readonly string[];
  /** Files that the person gives with the request. */
  readonly attachments?: readonly Attachment[];
  /** What was said before, when this is not the first request. */
  readonly conversation?: Conversation;
  readonly signal?: AbortSignal;
  /** Lets the step that is under way come to its end; then the run ends as `canceled`. */
  readonly stop?: AbortSignal;
  /**
   * Receives every event of the run and its children once it is written, and text while it streams.
   * Must not throw.
   */
  readonly onEvent?: (event: RunEvent) => void;
  /** Keeps date and paths of this machine out of the prompt, so that another run gets the same one. */
  readonly isRepeatable?: boolean;
  /** The host's own system prompt; it comes before ours. */
  readonly system?: string;
  /** Asks for an answer as JSON of a schema; `RunResult.output` has it. */
  readonly answer?: AnswerOptions;
  /** Where the run is recorded. Default: in memory. */
  readonly store?: RunStore;
  /** More tools, such as those of the host; whoever gives them sees to their policy. */
  readonly tools?: readonly SkillTool[];
  /** Tokens that level 1 may take. Default 4,000. */
  readonly catalogTokens?: number;
  /** Milliseconds that only go forward. */
  readonly clock?: () => number;
  /** Gives names of runs. */
  readonly ids?: () => string;
  /** Only of child runs. */
  readonly child?: Required<Pick<RunStart, "parent" | "skill">> & Pick<RunStart, "invoked">;
}
