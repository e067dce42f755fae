import type { Failure, SkillRecord } from "@skillwright/core";
import { defined } from "@skillwright/core/internal";
import { contentDigest } from "@skillwright/runtime/internal/records";
import { shareOf } from "../context/fit-entries.ts";
import { history, systemText } from "../context/prompt.ts";
import type { Attachment, CatalogSkill, RunStart } from "../events/run-event.ts";
import { fullBudget } from "../loop/budget.ts";
import { routeRequest } from "./route-request.ts";
import { recordOf, startSkills, withoutSource } from "./first-skills.ts";
import { boundConversation, conversationAfter, historyChunks, readSound } from "./conversation.ts";
import { recordedBytes, redactWhole, withoutImageData } from "./redact-fields.ts";
import type { Run } from "./run.ts";

type BoundAttachments =
  | { readonly ok: true; readonly attachments: readonly Attachment[] }
  | Failure<"attachments-too-many">;

const MAX_FILES = 100;
/** For the texts and names of all files. */
const MAX_BYTES = 100_000;
/** For the names and sizes of all files. */
const MAX_NAME_BYTES = 60_000;

/** Bounds attachments to what a record takes: long texts are cut to an equal share. */
export function boundAttachments(attachments: readonly Attachment[]): BoundAttachments {
  const bare = attachments.map(({ text, ...attachment }): Attachment =>
    text === undefined ? attachment : { ...attachment, truncated: true },
  );
  const names = recordedBytes(withoutImageData({ attachments: bare }));
  if (attachments.length > MAX_FILES || names > MAX_NAME_BYTES) {
    const message = `${attachments.length} files are too many to be given with a request`;
    const hint = `Give at most ${MAX_FILES}, or name the folder that they are in.`;
    return { ok: false, code: "attachments-too-many", message, hint };
  }
  const sizes = attachments.map(({ text = "" }) => recordedBytes(text));
  const share = shareOf(sizes, MAX_BYTES - names);
  const bound = attachments.map((attachment, i) => {
    const { text } = attachment;
    if (text === undefined || (sizes[i] ?? 0) <= share) return attachment;
    return { ...attachment, text: beginning(text, share), truncated: true as const };
  });
  return { ok: true, attachments: bound };
}

function beginning(text: string, bytes: number): string {
  // A character takes at least one byte.
  let cut = text.slice(0, bytes);
  for (let size = recordedBytes(cut); size > bytes; size = recordedBytes(cut)) {
    cut = cut.slice(0, Math.min(cut.length - 1, Math.floor((cut.length * bytes) / size)));
  }
  const whole = cut.replace(/[\uD800-\uDBFF]$/, "");
  const line = whole.lastIndexOf("\n");
  return line > whole.length / 2 ? whole.slice(0, line + 1) : whole;
}

const MAX_REQUEST_LENGTH = 60_000;
const MAX_CATALOG_LENGTH = 40_000;
const MAX_CATALOG_SKILLS = 500;
/** What one decision can select, and so hand to child runs. */
const MAX_USED = 20;
const MAX_NAME_LENGTH = 200;

/** Records the request, the catalog and the history, and activates the first skills. */
export async function startRun(run: Run): Promise<void> {
  const { request, budget, child, system, isRepeatable = false, conversation } = run.options;
  const { view, tools, catalogTokens: budgetTokens } = run;
  const canSearch = tools.tools.some(({ name }) => name === "search_skills");
  const searchTool = canSearch ? { searchTool: "search_skills" } : undefined;
  const catalog = view.catalog({ budgetTokens, ...searchTool });
  const listed = new Set([...catalog.shown, ...catalog.shortened, ...catalog.nameOnly]);
  const text = listed.size + catalog.omitted.length > 0 ? catalog.text : "";
  const asked = request.slice(0, MAX_REQUEST_LENGTH);
  const invoked = child === undefined ? invocationOf(run, asked) : child.invoked;
  const given = boundAttachments(run.options.attachments ?? []);
  const attachments = given.ok ? given.attachments.map((file) => attach(file, run)) : [];
  const problem = problemOf(run, given);
  const before = conversation && boundConversation(conversation);
  const chunks = historyChunks(conversation ?? {});
  const messageCount = chunks.reduce((sum, { entries }) => sum + entries.length, 0);
  const start: RunStart = defined({
    schemaVersion: 2 as const,
    runId: run.id,
    ...child,
    secretNames: conversation?.secretNames ?? child?.secretNames,
    request: asked,
    normalizedRequest: normalize(invoked?.arguments ?? asked),
    budget: fullBudget(budget),
    catalog: {
      digest: contentDigest(text),
      tokens: catalog.tokens,
      skills: catalogSkills(view.skills.filter(({ name }) => listed.has(name))),
      omitted: catalog.omitted.length + Math.max(0, listed.size - MAX_CATALOG_SKILLS),
    },
    system: sharedText(
      systemText({
        host: system,
        catalog: text,
        tools: tools.tools,
        canRun: tools.canRun,
        environment: run.runtime?.environment,
        isRepeatable,
        isChild: child !== undefined,
      }),
    ),
    means: run.means,
    invoked,
    ...wantedSkills(run),
    attachments: attachments.length > 0 ? attachments : undefined,
    conversation: before && {
      ...before,
      id: before.id || run.id,
      ...(messageCount > 0 && { messageCount }),
    },
    problem,
  });
  run.record({ event: "run-start", data: start });
  for (const data of chunks) run.record({ event: "history-add", data });
  await routeRequest(run);
  await startSkills(run);
}

/** A run that was cut off while its history was recorded takes the rest from the run before it. */
export async function restoreHistory(run: Run): Promise<void> {
  const { conversation } = run.state.start ?? {};
  const { messageCount = 0, previous } = conversation ?? {};
  const written = run.state.entries.findIndex(({ kind }) => kind === "request");
  if (written >= messageCount || run.state.usage.turns > 0) return;
  const { store } = run.options;
  const records = previous === undefined ? undefined : await readSound(store, previous);
  const all = historyChunks(conversationAfter(records ?? [])).flatMap(({ entries }) => entries);
  const isWhole = all.length === messageCount;
  const messages = isWhole ? all.slice(written) : written === 0 ? history(conversation) : [];
  for (const data of historyChunks({ messages })) run.record({ event: "history-add", data });
}

/**
 * A file as the model gets it: without known secrets, and images only if it accepts them. The digest of a
 * file with a secret is left out, since a short secret could be guessed from it.
 */
function attach({ text, image, ...file }: Attachment, run: Run): Attachment {
  if (image !== undefined && run.acceptsImages) return { ...file, image };
  if (text === undefined) return file;
  const hasSecret = redactWhole(text, run.log.redactor) !== text;
  return { ...file, text: run.hide(text), ...(hasSecret && { digest: "[redacted]" }) };
}

/** Why the run cannot begin with what it was given. */
function problemOf(run: Run, given: BoundAttachments): RunStart["problem"] {
  if (!given.ok) return defined({ message: given.message, hint: given.hint });
  const { use = [] } = run.options;
  if (use.length <= MAX_USED) return undefined;
  return { message: `${use.length} skills are too many to be used at once; ${MAX_USED} can be` };
}

/** Skills that the person wants used; of them, those that work in a child run. */
function wantedSkills(run: Run): Pick<RunStart, "use" | "apart"> {
  const { use: wanted = [], child } = run.options;
  if (wanted.length === 0) return {};
  const use = [...new Set(wanted)].slice(0, MAX_USED).map((name) => name.slice(0, MAX_NAME_LENGTH));
  const isApart = (name: string) => recordOf(run, name)?.runMode === "subagent";
  const apart = child === undefined ? use.filter(isApart) : [];
  return { use, ...(apart.length > 0 && { apart }) };
}

/** The catalog as data, with descriptions cut to an equal share of what a record takes. */
function catalogSkills(skills: readonly SkillRecord[]): CatalogSkill[] {
  const listed = skills.slice(0, MAX_CATALOG_SKILLS);
  const length = listed.reduce((sum, { description }) => sum + description.length, 0);
  if (length <= MAX_CATALOG_LENGTH) return listed.map((skill) => catalogSkill(skill));
  const most = Math.floor(MAX_CATALOG_LENGTH / listed.length);
  return listed.map((skill) => {
    const { description, ...rest } = catalogSkill(skill);
    return { ...rest, description: description.slice(0, most) };
  });
}

const CATALOG_SKILLS = new WeakMap<SkillRecord, CatalogSkill>();

/** One object for all runs, since each run keeps its catalog. */
function catalogSkill(skill: SkillRecord): CatalogSkill {
  const { name, description, source } = skill;
  const known = CATALOG_SKILLS.get(skill) ?? { name, description, source };
  CATALOG_SKILLS.set(skill, known);
  return known;
}

let lastSystem = "";

/** One string for runs with the same prompt, which is most of what a waiting run holds. */
function sharedText(system: string): string {
  if (system !== lastSystem) lastSystem = system;
  return lastSystem;
}

const INVOCATION = /^\/([\w.@:/-]+)(?:\s+([^]*))?$/;
/** `/pdf-tool` and `/pdf-tool@user` call a skill, even one that is not there; `/etc/hosts` does not. */
const CALL = /^[\w-]+(?:@[\w-]*)?$/;

function invocationOf(run: Run, request: string): RunStart["invoked"] {
  const [, name, typed = ""] = INVOCATION.exec(request.trim()) ?? [];
  if (name === undefined) return undefined;
  const skill = recordOf(run, name);
  const isCall = skill !== undefined || CALL.test(name) || recordOf(run, withoutSource(name));
  if (!isCall) return undefined;
  const apart = skill?.runMode === "subagent" ? { apart: true as const } : undefined;
  return { skill: name, arguments: typed.trim(), ...apart };
}

/** Unicode in composed form, LF as line end, no space around it. */
function normalize(request: string): string {
  return request.normalize("NFC").replaceAll(/\r\n?/g, "\n").trim();
}
