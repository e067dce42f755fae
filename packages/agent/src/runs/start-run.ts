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
  const invoked = child === undefined ? invocationOf(run, asked) : undefined;
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
  if (usage.turns > 0 || active.length > 0) return;
  if (start?.skill !== undefined) await activate(run, start.skill, { by: "model" });
  else if (start?.invoked !== undefined) {
    const { skill, arguments: typed } = start.invoked;
    await activate(run, skill, { by: "person", arguments: typed });
  }
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

function invocationOf(run: Run, request: string): RunStart["invoked"] {
  const match = INVOCATION.exec(request.trim());
  const [, name = "", typed = ""] = match ?? [];
  if (match === null) return undefined;
  const isKnown = run.options.skills.find(name).ok;
  // `/etc/hosts is …` is no call; `/pdf-tool …` is one that went wrong.
  if (!isKnown && /[./@]/.test(name)) return undefined;
  return { skill: name, arguments: typed.trim() };
}

async function activate(
  run: Run,
  name: string,
  options: { readonly by: "model" | "person"; readonly arguments?: string },
): Promise<void> {
  const activation = await run.view.activate(name, options);
  if (activation.ok) {
    const skill = run.options.skills.find(name);
    run.record({
      event: "skill-activate",
      data: activatedSkill(activation, skill.ok ? skill.skill : undefined, options.by),
    });
    return;
  }
  const { message, hint } = options.by === "person" ? uncalled(run, name, activation) : activation;
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

/** Why a skill was not called by its name, with names that can be called. */
function uncalled(run: Run, name: string, failure: Failure): Pick<Failure, "message" | "hint"> {
  const callable = (one: string) => {
    const found = run.options.skills.find(one);
    return found.ok ? found.skill.userInvocable : undefined;
  };
  if (callable(name) === false) {
    const hint = "Say what you want in your own words instead.";
    return { message: `the skill ${name} is not to be called by its name`, hint };
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
