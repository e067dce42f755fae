/**
 * What the public API gives to a program in TypeScript. Compiled with our sources, and against the packed
 * packages as an importing project sees them; it is never run.
 */
import {
  type AgentEvent,
  type Budget,
  createOfflineModel,
  type Model,
  runAgent,
  type RunResult,
  type RunStatus,
} from "@skillwright/agent";
import {
  type Activation,
  type Failure,
  openSkills,
  parseSkill,
  type SkillRecord,
  type Skills,
  SkillwrightError,
  type SkillTool,
} from "@skillwright/core";
import type { Catalog, ParseResult } from "@skillwright/core/internal";
import { configurationSchemaText } from "@skillwright/core/config-schema";
import { type installSkills, type PackFailure, packSkills } from "@skillwright/packs";
import type { Audit } from "@skillwright/runtime";
import { decide, type Decision, type openAudit } from "@skillwright/runtime/internal";

type IsAny<T> = 0 extends 1 & T ? true : false;
/** Whether each of two types can stand for the other; `any`, which always could, is only itself. */
type Same<A, B> = IsAny<A> extends IsAny<B> ? ([A, B] extends [B, A] ? true : false) : false;
declare function same<A, B>(verdict: Same<A, B>): void;
declare function never(value: never): never;

export async function findsSkills(): Promise<void> {
  const skills = await openSkills({ cwd: "." });
  same<typeof skills, Skills>(true);
  same<typeof skills.all, readonly SkillRecord[]>(true);
  same<(typeof skills.all)[number]["name"], string>(true);
  const found = skills.get("pdf");
  same<typeof found, SkillRecord | undefined>(true);
  // @ts-expect-error: it may not be there
  found.name.trim();
  const chat = skills.conversation({ include: ["pdf"] });
  same<ReturnType<typeof chat.catalog>, Catalog>(true);
  const [hit] = await chat.search("merge two files", { limit: 5 });
  same<NonNullable<typeof hit>["score"], number>(true);
  // @ts-expect-error: there is no such option
  await openSkills({ rootz: ["."] });
  // @ts-expect-error: what was found is not changed by its reader
  skills.all.push();
}

export async function readsFailures(skills: Skills): Promise<string> {
  const activated = await skills.conversation().activate("pdf");
  if (!activated.ok) {
    same<typeof activated.message, string>(true);
    same<typeof activated.candidates, readonly string[] | undefined>(true);
    const failure: Failure = activated;
    return failure.hint ?? failure.code;
  }
  same<Extract<typeof activated, { ok: true }>, Activation>(true);
  // @ts-expect-error: only a failure has one
  activated.message.trim();
  return activated.text;
}

export function offersTools(skills: Skills): readonly SkillTool[] {
  const tools = skills.conversation().tools({ preset: "standard" });
  same<(typeof tools)[number], SkillTool>(true);
  same<ReturnType<SkillTool["execute"]>, Promise<unknown>>(true);
  same<(typeof tools)[number]["inputSchema"]["type"], "object">(true);
  // @ts-expect-error: there is no such preset
  skills.tools({ preset: "everything" });
  return tools;
}

export async function runsAnAgent(skills: Skills): Promise<RunResult> {
  const model: Model = createOfflineModel();
  const result = await runAgent({
    request: "Convert 5 km to miles",
    skills,
    model,
    budget: { turns: 3 },
    onEvent: ({ event }) => event satisfies string,
  });
  same<typeof result, RunResult>(true);
  same<typeof result.status, RunStatus>(true);
  same<typeof result.answer, string>(true);
  same<typeof result.approval, string | undefined>(true);
  same<Budget["turns"], number>(true);
  // @ts-expect-error: without a model nothing decides
  await runAgent({ request: "", skills });
  return result;
}

/** Every end of a run has its place: a new one is an error here. */
export function namesEnds(status: RunStatus): string {
  switch (status) {
    case "answered":
    case "failed":
    case "budget_exhausted":
    case "needs_approval":
    case "denied":
    case "invalid_output":
    case "model_failed":
    case "canceled":
    case "error":
      return status;
    default:
      return never(status);
  }
}

/** The name of an event says what its data are. */
export function readsEvents(event: AgentEvent): string {
  if (event.event === "run-end") return event.data.status;
  if (event.event === "action-end") return event.data.observation;
  if (event.event === "skill-activate") same<(typeof event)["event"], "skill-activate">(true);
  // @ts-expect-error: a run that starts has no status
  if (event.event === "run-start") return event.data.status;
  // @ts-expect-error: there is no such event
  return event.event === "run-stop" ? "" : event.event;
}

export function parses(text: string): string {
  const result: ParseResult = parseSkill(text, { directoryName: "pdf" });
  same<(typeof result.diagnostics)[number]["severity"], "error" | "warning" | "info">(true);
  // @ts-expect-error: a text that cannot be read gives no skill
  result.skill.metadata.trim();
  return result.diagnostics.map(({ code }) => code).join();
}

export async function packs(root: string): Promise<string> {
  const packed = await packSkills({ root, output: "skills.zip", format: "zip" });
  if (packed.ok) return packed.skills.map(({ name }) => name).join();
  const failure: PackFailure = packed;
  same<Parameters<typeof installSkills>[0], string>(true);
  return failure.message;
}

export function decides(request: Parameters<typeof decide>[0]): Decision {
  const { decision } = decide(request);
  same<typeof decision, "allow" | "ask" | "deny">(true);
  same<ReturnType<typeof openAudit> extends Audit ? true : false, true>(true);
  return decision;
}

export function catches(error: unknown): string {
  if (SkillwrightError.isInstance(error)) return error.code;
  same<typeof error, unknown>(true);
  return configurationSchemaText();
}
