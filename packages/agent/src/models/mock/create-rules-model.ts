import { createContext, Script } from "node:vm";
import type { Failure } from "@skillwright/core";
import type { Model, ModelRequest, ModelView } from "../model.ts";
import { jsonModel } from "./json-model.ts";
import type { Rule, RuleStep } from "./mock-files.ts";

type RulesModelResult = { readonly ok: true; readonly model: Model } | Failure<"rule-invalid">;

type Find = (text: string) => RegExpExecArray | null;

interface ReadyRule {
  readonly find: Find;
  readonly steps: readonly { readonly step: RuleStep; readonly after: Find | undefined }[];
}

/** Decides by rules over the request: the first that matches, its steps in turn. */
export function createRulesModel(rules: readonly Rule[]): RulesModelResult {
  const ready: ReadyRule[] = [];
  for (const [i, { pattern, flags, steps }] of rules.entries()) {
    let place = `rule ${i + 1}`;
    try {
      const find = finder(pattern, flags);
      const readySteps = steps.map((step, number) => {
        place = `rule ${i + 1}, step ${number + 1}`;
        return { step, after: step.after === undefined ? undefined : finder(step.after, flags) };
      });
      ready.push({ find, steps: readySteps });
    } catch (error) {
      const problem = error instanceof Error ? error.message : "unreadable pattern";
      return { ok: false, code: "rule-invalid", message: `${place}: ${problem}` };
    }
  }
  const answer = ({ view }: ModelRequest) => {
    try {
      return decide(ready, view);
    } catch {
      return noAnswer(`a pattern of the rules took longer than ${MATCH_MS} ms`);
    }
  };
  return { ok: true, model: jsonModel("mock:rules", answer) };
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

const MATCH_MS = 500;

/**
 * Matches a pattern, and throws when that takes too long. Nothing foreign is evaluated: `vm` is what Node
 * has to end JavaScript that is under way. Throws a `SyntaxError` for what is no pattern.
 */
function finder(source: string, flags = "iu"): Find {
  const pattern = new RegExp(source, flags);
  // Nothing else can run away, and a context takes longer than the match.
  if (!/[*+{]/.test(source)) return (text) => pattern.exec(text);
  return (text) => {
    const script = new Script("pattern.exec(text)");
    const context = createContext({ pattern, text });
    return script.runInContext(context, { timeout: MATCH_MS }) as RegExpExecArray | null;
  };
}

const CAPTURE = /\$\{(\w{1,64})\}/g;
const MAX_DEPTH = 20;

/**
 * Puts captures in the place of `${name}` in every text of an action. What is put in is data: it is
 * not looked through again and cannot become a key. Unknown names stay as they are.
 */
function fillCaptures(
  value: unknown,
  groups: Readonly<Record<string, string>> | undefined,
  depth = 0,
): unknown {
  if (typeof value === "string") {
    return value.replace(CAPTURE, (whole, name: string) =>
      groups !== undefined && Object.hasOwn(groups, name) ? (groups[name] ?? "") : whole,
    );
  }
  if (depth >= MAX_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => fillCaptures(item, groups, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillCaptures(item, groups, depth + 1)]),
  );
}
