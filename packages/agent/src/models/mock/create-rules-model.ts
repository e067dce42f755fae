import type { Failure } from "@skillwright/core";
import type { Model, ModelView } from "../model.ts";
import { boundedPattern } from "./bounded-pattern.ts";
import { fillCaptures } from "./fill-captures.ts";
import { jsonModel } from "./json-model.ts";
import type { Rule, RuleStep } from "./rule.ts";

export interface RulesModelOptions {
  /** As it stands in the record. Default: `mock:rules`. */
  readonly id?: string;
}

export type RulesModelResult =
  | { readonly ok: true; readonly model: Model }
  | Failure<"rule-invalid">;

type Find = (text: string) => RegExpExecArray | null;

interface ReadyRule {
  readonly find: Find;
  readonly steps: readonly { readonly step: RuleStep; readonly after: Find | undefined }[];
}

/** Decides by rules over the request: the first that matches, its steps in turn. */
export function createRulesModel(
  rules: readonly Rule[],
  { id = "mock:rules" }: RulesModelOptions = {},
): RulesModelResult {
  const ready: ReadyRule[] = [];
  for (const [i, { pattern, flags, steps }] of rules.entries()) {
    const compiled = boundedPattern(pattern, flags);
    if (!compiled.ok) return { ...compiled, message: `rule ${i + 1}: ${compiled.message}` };
    const readySteps: { step: RuleStep; after: Find | undefined }[] = [];
    for (const [number, step] of steps.entries()) {
      const after = step.after === undefined ? undefined : boundedPattern(step.after, flags);
      if (after?.ok === false) {
        return { ...after, message: `rule ${i + 1}, step ${number + 1}: ${after.message}` };
      }
      readySteps.push({ step, after: after?.find });
    }
    ready.push({ find: compiled.find, steps: readySteps });
  }
  return { ok: true, model: jsonModel(id, ({ view }) => decide(ready, view)) };
}

/** Works from the view alone, so that a resumed or replayed run gets the same answers. */
function decide(rules: readonly ReadyRule[], { request, steps: done }: ModelView) {
  for (const { find, steps } of rules) {
    const match = find(request);
    if (match === null) continue;
    const step = stepAfter(
      steps,
      done.map(({ observation }) => observation),
    );
    if (step !== undefined) {
      return { ok: true as const, answer: fillCaptures(step.action, match.groups) };
    }
    return noAnswer("the rule for this request has no further step");
  }
  return noAnswer("no rule matches this request");
}

/** Goes through what was observed as the decisions then did, and gives the step that is next. */
function stepAfter(
  steps: ReadyRule["steps"],
  observations: readonly string[],
): RuleStep | undefined {
  let next = 0;
  for (let turn = 0; ; turn++) {
    const last = observations[turn - 1] ?? "";
    while (steps[next]?.after?.(last) === null) next++;
    const found = steps[next++];
    if (found === undefined || turn === observations.length) return found?.step;
  }
}

function noAnswer(message: string) {
  return {
    ok: false as const,
    error: { code: "no-more-answers" as const, message, retryable: false },
  };
}
