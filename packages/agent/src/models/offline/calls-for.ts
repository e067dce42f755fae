import type { ActiveSkill } from "../model.ts";
import { attachedFiles } from "./attached-files.ts";
import { chooseCall, type ScriptCallChoice } from "./choose-call.ts";
import type { OfflineView } from "./offline-view.ts";
import { partFor } from "./part-for.ts";
import { readRequest, type RequestFacts } from "./read-request.ts";
import { readUsages } from "./read-usages.ts";
import { requestParts } from "./request-parts.ts";
import { filesBefore } from "./topic-of.ts";
import type { Usage } from "./usage.ts";

const MAX_ATTACHED = 5;

/** With several skills each gets its part of the request, and the rest where that says nothing. */
export function factsFor(skill: ActiveSkill, view: OfflineView): RequestFacts {
  const { request, active, isGerman = false } = view;
  const said = readRequest(request, isGerman);
  const whole = { ...said, files: [...new Set([...said.files, ...attachedFiles(view)])] };
  if (active.length < 2) return whole;
  const part = readRequest(partFor(skill, active, whole.text), isGerman);
  return {
    ...part,
    isChinese: whole.isChinese,
    files: part.files.length > 0 ? part.files : whole.files,
    urls: part.urls.length > 0 ? part.urls : whole.urls,
    pairs: part.pairs.size > 0 ? part.pairs : whole.pairs,
  };
}

/** Where the request leaves out what to work on, it may be what the one before it named. */
export function callFor(skill: ActiveSkill, facts: RequestFacts, view: OfflineView) {
  const usages = readUsages(skill);
  const call = chooseCall(usages, facts, isInvocation(view));
  const part = leavesFiles(call, facts) ? callForPart(usages, facts) : undefined;
  if (part !== undefined) return part;
  const isWhole = call === undefined || call.missing.length === 0;
  const files = isWhole || facts.files.length > 0 ? [] : filesBefore(view);
  if (files.length === 0) return call;
  const again = chooseCall(usages, { ...facts, files }, false);
  return again?.missing.length === 0 ? again : call;
}

function isReady(call: ScriptCallChoice | undefined): call is ScriptCallChoice {
  return call !== undefined && call.missing.length === 0 && call.unclear.length === 0;
}

function leavesFiles(call: ScriptCallChoice | undefined, { files }: RequestFacts): boolean {
  return call !== undefined && files.some((path) => !call.args.includes(path));
}

/** Of a request that names more files than this call takes, the part that it takes all files of. */
function callForPart(usages: readonly Usage[], facts: RequestFacts): ScriptCallChoice | undefined {
  const calls = requestParts(facts.text).flatMap((text) => {
    const part = readRequest(text, facts.isGerman);
    const call = part.files.length === 0 ? undefined : chooseCall(usages, part, false);
    return isReady(call) && !leavesFiles(call, part) ? [call] : [];
  });
  return calls.toSorted((a, b) => b.used - a.used)[0];
}

/** A call for each part of a request that asks for the same thing twice; none when it does not. */
export function callsForParts(
  skill: ActiveSkill,
  facts: RequestFacts,
): readonly ScriptCallChoice[] {
  const parts = requestParts(facts.text).map((part) => readRequest(part, facts.isGerman));
  if (parts.length < 2) return [];
  const usages = readUsages(skill);
  const calls = parts.flatMap((part) => {
    // The name of a file alone asks for nothing.
    const rest = [...part.files, ...part.outputs].reduce(
      (text, path) => text.replace(path, ""),
      part.text,
    );
    const call = /\p{L}{2}/u.test(rest) ? chooseCall(usages, part, false) : undefined;
    return isReady(call) && call.used > 0 ? [call] : [];
  });
  const whole = chooseCall(usages, facts, false);
  const known = new Set(whole?.missing.length === 0 ? whole.args : []);
  const isMore = calls.some(({ args }) =>
    args.some((arg) => !arg.startsWith("-") && !known.has(arg)),
  );
  const different = new Set(calls.map(({ script, args }) => JSON.stringify([script, args])));
  const isForEach = calls.length === parts.length && different.size === calls.length;
  return isForEach && isMore ? calls : [];
}

/** The same call for each of several attachments, when it takes one and the request names none. */
export function callsForAttachments(
  skill: ActiveSkill,
  facts: RequestFacts,
  view: OfflineView,
): readonly ScriptCallChoice[] {
  const paths = attachedFiles(view).slice(0, MAX_ATTACHED);
  if (paths.length < 2 || facts.files.length > attachedFiles(view).length) return [];
  const usages = readUsages(skill);
  const together = chooseCall(usages, facts, false);
  if (!isReady(together) || together.args.filter((arg) => paths.includes(arg)).length !== 1) {
    return [];
  }
  const calls = paths.map((path) => chooseCall(usages, { ...facts, files: [path] }, false));
  const ready = calls.filter(isReady);
  const isSame = ready.every(({ script }) => script === together.script);
  return ready.length === paths.length && isSame ? ready : [];
}

/** A person called the skill by its name; the model selected none. */
function isInvocation({ request, active, steps, wanted = [] }: OfflineView): boolean {
  const [skill] = active;
  if (skill === undefined || active.length > 1) return false;
  if (skill.carried === true || wanted.includes(skill.name)) return false;
  return (
    /^\s{0,10}\/[\p{L}\p{N}]/u.test(request) ||
    steps.every(({ action }) => action.action !== "select_skills")
  );
}
