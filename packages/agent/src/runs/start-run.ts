import type { Activation, SkillRecord } from "@skillwright/core";
import { contentDigest } from "@skillwright/runtime";
import { systemText } from "../context/system-text.ts";
import type { RunStart } from "../events/agent-event.ts";
import { fullBudget, type OpenRunOptions } from "./open-run.ts";
import type { Run } from "./run.ts";

const MAX_REQUEST_LENGTH = 200_000;
const INVOCATION = /^\/([\w.@/-]+)(?:\s+([^]*))?$/;

/** Init and IndexSkills: level 1 and nothing more, unless the person called a skill by name. */
export async function startRun(run: Run, options: OpenRunOptions): Promise<void> {
  const { request, model, budget, child } = options;
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
    ...(child && { parent: child.parent }),
    request: asked,
    normalizedRequest: normalize(invoked?.arguments ?? asked),
    model: model.id,
    budget: fullBudget(budget),
    catalog: {
      digest: contentDigest(text),
      tokens: catalog.tokens,
      skills: view.skills
        .filter(({ name }) => listed.has(name))
        .map(({ name, description, source }) => ({ name, description, source })),
      omitted: catalog.omitted.length,
    },
    system: systemText({
      catalog: text,
      tools: tools.tools,
      canRun: tools.canRun,
      ...(child && { parent: child.parent }),
    }),
    tools: tools.tools.map(({ name }) => name),
    ...(invoked && { invoked }),
  };
  run.record({ event: "run-start", data: start });
  if (child !== undefined) await activate(run, child.skill, { by: "model" });
  else if (invoked !== undefined) {
    await activate(run, invoked.skill, { by: "person", arguments: invoked.arguments });
  }
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
    const { skill } = { skill: run.options.skills.find(name) };
    run.record({
      event: "skill-activate",
      data: activatedSkill(activation, skill.ok ? skill.skill : undefined, options.by),
    });
    return;
  }
  const { message, hint, candidates = [] } = activation;
  const near = candidates.length === 0 ? hint : `did you mean /${candidates.join(" or /")}?`;
  run.record({
    event: "run-end",
    data: {
      status: "error",
      answer: "",
      reason: message,
      ...(near !== undefined && { hint: near }),
      usage: run.state.usage,
    },
  });
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
