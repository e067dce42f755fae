import type { Activation, Failure, SkillRecord } from "@skillwright/core";
import { contentDigest } from "@skillwright/runtime";
import { systemText } from "../context/system-text.ts";
import type { CatalogSkill, RunStart } from "../events/agent-event.ts";
import { fullBudget } from "./full-budget.ts";
import type { Run } from "./run.ts";

const MAX_REQUEST_LENGTH = 60_000;
const MAX_CATALOG_LENGTH = 40_000;
const MAX_CATALOG_SKILLS = 500;
const INVOCATION = /^\/([\w.@/-]+)(?:\s+([^]*))?$/;

/** Init and IndexSkills: level 1 and nothing more, unless the person called a skill by name. */
export async function startRun(run: Run): Promise<void> {
  const { request, budget, child } = run.options;
  const { view, tools, catalogTokens } = run;
  const search = tools.tools.some(({ name }) => name === "search_skills");
  const catalog = view.catalog({
    budgetTokens: catalogTokens,
    ...(search && { searchTool: "search_skills" }),
  });
  const listed = new Set([...catalog.shown, ...catalog.shortened, ...catalog.nameOnly]);
  const hasSkills = listed.size + catalog.omitted.length > 0;
  const text = hasSkills ? catalog.text : "";
  const asked = request.slice(0, MAX_REQUEST_LENGTH);
  const invoked = child === undefined ? invocationOf(run, asked) : child.invoked;
  const start: RunStart = {
    runId: run.id,
    ...child,
    request: asked,
    normalizedRequest: normalize(invoked?.arguments ?? asked),
    budget: fullBudget(budget),
    catalog: {
      digest: contentDigest(text),
      tokens: catalog.tokens,
      skills: catalogSkills(view.skills.filter(({ name }) => listed.has(name))),
      omitted: catalog.omitted.length + Math.max(0, listed.size - MAX_CATALOG_SKILLS),
    },
    system: systemText({
      catalog: text,
      tools: tools.tools,
      canRun: tools.canRun,
      ...(child && { parent: child.parent }),
    }),
    means: run.means,
    ...(invoked && { invoked }),
  };
  run.record({ event: "run-start", data: start });
  await finishStart(run);
}

/** The skill that the run begins with; also after a crash before it was there. */
export async function finishStart(run: Run): Promise<void> {
  const { start, usage, active } = run.state;
  if (start?.invoked?.apart === true) return admit(run, start.invoked.skill);
  if (usage.turns > 0 || active.length > 0) return;
  if (start?.invoked !== undefined) {
    const { skill, arguments: typed } = start.invoked;
    await activate(run, skill, { by: "person", arguments: typed });
  } else if (start?.skill !== undefined) await activate(run, start.skill, { by: "model" });
}

/** A skill that works apart stays out of this conversation, but has to be there, also for models. */
async function admit(run: Run, name: string): Promise<void> {
  const activation = await run.view.activate(name, { by: "person" });
  if (!activation.ok && run.state.usage.turns === 0) endUncalled(run, name, activation);
}

/** Level 1 as data. A record has room for so much; what is over is shortened for all alike. */
function catalogSkills(skills: readonly SkillRecord[]): CatalogSkill[] {
  const listed = skills.slice(0, MAX_CATALOG_SKILLS);
  const length = listed.reduce((sum, { description }) => sum + description.length, 0);
  const most =
    length <= MAX_CATALOG_LENGTH ? Infinity : Math.floor(MAX_CATALOG_LENGTH / listed.length);
  return listed.map(({ name, description, source }) => ({
    name,
    description: description.slice(0, most),
    source,
  }));
}

/** `/pdf-tool` and `/pdf-tool@user` call a skill, also one that is not there. */
const CALL = /^[\w-]+(?:@[\w-]*)?$/;

function invocationOf(run: Run, request: string): RunStart["invoked"] {
  const match = INVOCATION.exec(request.trim());
  const [, name = "", typed = ""] = match ?? [];
  if (match === null) return undefined;
  const { skills } = run.options;
  const found = skills.find(name);
  // `/etc/hosts is …` is no call.
  if (!found.ok && !CALL.test(name) && !skills.find(nameOf(name)).ok) return undefined;
  const isApart = found.ok && found.skill.runMode === "subagent";
  return { skill: name, arguments: typed.trim(), ...(isApart && { apart: true }) };
}

/** Without the source. */
function nameOf(called: string): string {
  return called.replace(/@[^@]*$/, "");
}

async function activate(
  run: Run,
  name: string,
  options: { readonly by: "model" | "person"; readonly arguments?: string },
): Promise<void> {
  const activation = await run.view.activate(name, options);
  if (!activation.ok) {
    if (options.by === "person") endUncalled(run, name, activation);
    else endAsError(run, activation);
    return;
  }
  const skill = run.options.skills.find(name);
  run.record({
    event: "skill-activate",
    data: activatedSkill(activation, skill.ok ? skill.skill : undefined, options.by),
  });
}

/** Says why a skill was not called by its name, with names that can be called. */
function endUncalled(run: Run, name: string, failure: Failure): void {
  endAsError(run, uncalled(run, name, failure));
}

function endAsError(run: Run, { message, hint }: Pick<Failure, "message" | "hint">): void {
  run.record({
    event: "run-end",
    data: {
      status: "error",
      answer: "",
      reason: message,
      ...(hint !== undefined && { hint }),
      usage: run.state.usage,
    },
  });
}

function uncalled(run: Run, name: string, failure: Failure): Pick<Failure, "message" | "hint"> {
  const { skills } = run.options;
  const callable = (one: string) => {
    const found = skills.find(one);
    return found.ok ? found.skill.userInvocable : undefined;
  };
  if (callable(name) === false) {
    const hint = "Say what you want in your own words instead.";
    return { message: `the skill ${name} is not to be called by its name`, hint };
  }
  const elsewhere = skills.find(nameOf(name));
  if (callable(name) === undefined && name.includes("@") && elsewhere.ok) {
    const { name: known, source } = elsewhere.skill;
    const message = `there is no skill ${JSON.stringify(name)}; ${known} is from ${source}`;
    return { message, hint: `did you mean /${known} or /${known}@${source}?` };
  }
  const near = (failure.candidates ?? []).filter((one) => callable(one) === true);
  return near.length === 0 ? failure : { ...failure, hint: `did you mean /${near.join(" or /")}?` };
}

function activatedSkill(
  { name, source, digest, tokens, text, files }: Activation,
  record: SkillRecord | undefined,
  by: "model" | "person",
) {
  const id = record?.id ?? `${source}:${name}`;
  const paths = files.map(({ path }) => path);
  return { turn: 0, id, name, source, digest, tokens, by, text, files: paths };
}

/** The same request in other clothes gives the same one here. */
function normalize(request: string): string {
  return request.normalize("NFC").replaceAll(/\r\n?/g, "\n").trim();
}
