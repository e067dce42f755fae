/** What a run has used up. */
export interface RunUsage {
  readonly turns: number;
  readonly toolCalls: number;
  readonly scripts: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly modelCalls: number;
  readonly cost: number;
  readonly timeMs: number;
}

export const NO_USAGE: RunUsage = {
  turns: 0,
  toolCalls: 0,
  scripts: 0,
  inputTokens: 0,
  outputTokens: 0,
  modelCalls: 0,
  cost: 0,
  timeMs: 0,
};

/** What is no amount adds nothing: a model that reports less than none must not get more. */
export function sumUsage(one: RunUsage, other: Partial<RunUsage>): RunUsage {
  const sum = (key: keyof RunUsage) => {
    const added = other[key];
    return typeof added === "number" && added > 0 && added < Infinity ? one[key] + added : one[key];
  };
  return {
    turns: sum("turns"),
    toolCalls: sum("toolCalls"),
    scripts: sum("scripts"),
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    modelCalls: sum("modelCalls"),
    cost: sum("cost"),
    timeMs: sum("timeMs"),
  };
}
