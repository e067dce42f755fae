import { promptLine } from "@skillwright/core/internal";
import type { SkillRouted } from "../events/run-event.ts";
import { recordOf } from "./first-skills.ts";
import type { Run } from "./run.ts";

const MAX_MATCHES = 6;
const MAX_NAME = 100;
/** The first search of a larger catalog takes longer than a person who did not ask for it should wait. */
const MAX_UNASKED = 500;

/**
 * Matches the request with the catalog and records what came out, once for a run. A person who named a
 * skill has decided, and so has the parent of a child run.
 */
export async function routeRequest(run: Run): Promise<void> {
  const { options, state, view } = run;
  const { child } = options;
  const { start, usage } = state;
  const { route: mode = (start?.catalog.skills.length ?? 0) > MAX_UNASKED ? "off" : "hint" } =
    options;
  const isNamed = start?.invoked !== undefined || (start?.use ?? []).length > 0;
  const isDone = state.route !== undefined || usage.turns > 0 || start?.problem !== undefined;
  if (mode === "off" || start === undefined || child !== undefined || isNamed || isDone) return;
  if (start.catalog.skills.length === 0) return;
  const { decision: found, candidates, ...facts } = await view.route(start.normalizedRequest);
  const [first] = candidates;
  if (first === undefined) return;
  const place = `${first.name}@${first.source}`;
  const record = recordOf(run, place);
  // One that works apart is the model's to choose: a child run costs more than a few tokens.
  const isKept = mode === "hint" || record?.runMode === "subagent";
  const decision = found === "activate" && isKept ? "hint" : found;
  const matches = facts.matches.slice(0, MAX_MATCHES);
  const words = matches.length === 0 ? "" : ` (matches: ${matches.join(", ")})`;
  const data: SkillRouted = {
    decision,
    candidates: candidates.map(({ score, ...one }) => ({ ...one, score: rounded(score) })),
    margin: rounded(facts.margin),
    needed: rounded(facts.needed),
    matches,
    ...(decision === "hint" && { hint: `Likely: ${promptLine(first.name, MAX_NAME)}${words}` }),
  };
  run.record({ event: "skill-route", data });
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
