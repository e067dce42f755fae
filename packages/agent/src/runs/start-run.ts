import type { SkillRecord } from "@skillwright/core";
import { contentDigest } from "@skillwright/runtime";
import { systemText } from "../context/system-text.ts";
import type { CatalogSkill, RunStart } from "../events/run-event.ts";
import type { Attachment } from "../events/run-event.ts";
import { type BoundAttachments, boundAttachments } from "./bound-attachments.ts";
import { boundConversation, type Conversation, historyChunks } from "./conversation.ts";
import { nameOf } from "./end-uncalled.ts";
import { fullBudget } from "./full-budget.ts";
import { redactWhole } from "./redact-fields.ts";
import type { Run } from "./run.ts";
import { startSkills } from "./start-skills.ts";

const MAX_REQUEST_LENGTH = 60_000;
const MAX_CATALOG_LENGTH = 40_000;
const MAX_CATALOG_SKILLS = 500;
/** What one decision can select, and so hand to child runs. */
const MAX_USED = 20;
const MAX_NAME_LENGTH = 200;
const INVOCATION = /^\/([\w.@:/-]+)(?:\s+([^]*))?$/;

/** Init and IndexSkills: level 1 and nothing more, but for skills that are wanted or were active. */
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
  const given = boundAttachments(run.options.attachments ?? []);
  const problem = problemOf(run, given);
  const before = run.options.conversation;
  const conversation = before && boundConversation(before);
  const start: RunStart = {
    schemaVersion: 2,
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
      host: run.options.system,
      catalog: text,
      tools: tools.tools,
      canRun: tools.canRun,
      environment: run.runtime?.environment,
      date: new Date().toISOString().slice(0, 10),
      ...(child && { parent: child.parent }),
    }),
    means: run.means,
    ...(invoked && { invoked }),
    ...wantedSkills(run),
    ...(given.ok &&
      given.attachments.length > 0 && {
        attachments: given.attachments.map((file) => attach(file, run)),
      }),
    ...(conversation && { conversation: { ...conversation, id: conversation.id || run.id } }),
  };
  run.record({ event: "run-start", data: problem === undefined ? start : { ...start, problem } });
  for (const data of historyChunks(before ?? NO_CONVERSATION)) {
    run.record({ event: "history-add", data });
  }
  await startSkills(run);
}

const NO_CONVERSATION: Conversation = { id: "", exchanges: [], skills: [] };

/**
 * A file as the model gets it: known secrets hidden, images only where it can look at them. The digest
 * of a file with a secret is left out, since a short one could be guessed from it.
 */
function attach({ text, image, ...file }: Attachment, run: Run): Attachment {
  const { log, model } = run;
  if (image !== undefined && model.acceptsImages === true) return { ...file, image };
  if (text === undefined) return file;
  const hasSecret = redactWhole(text, log.redactor) !== text;
  return { ...file, text: run.hide(text), ...(hasSecret && { digest: "[redacted]" }) };
}

/** What it was given is more than it can begin with. */
function problemOf(run: Run, given: BoundAttachments): RunStart["problem"] {
  if (!given.ok) {
    const { message, hint } = given;
    return { message, ...(hint !== undefined && { hint }) };
  }
  const { use = [] } = run.options;
  if (use.length <= MAX_USED) return undefined;
  return { message: `${use.length} skills are too many to be used at once; ${MAX_USED} can be` };
}

/** Those that the person wants used; of them, the ones that work in a child run. */
function wantedSkills(run: Run): Pick<RunStart, "use" | "apart"> {
  const { use: wanted = [], skills, child } = run.options;
  if (wanted.length === 0) return {};
  const use = [...new Set(wanted)].slice(0, MAX_USED).map((name) => name.slice(0, MAX_NAME_LENGTH));
  const apart = use.filter((name) => {
    const found = skills.find(name);
    return child === undefined && found.ok && found.skill.runMode === "subagent";
  });
  return { use, ...(apart.length > 0 && { apart }) };
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

/** The same request in other clothes gives the same one here. */
function normalize(request: string): string {
  return request.normalize("NFC").replaceAll(/\r\n?/g, "\n").trim();
}
