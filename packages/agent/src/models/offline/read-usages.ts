import type { ActiveSkill } from "../model.ts";
import { parseUsageParts } from "./parse-usage-parts.ts";
import { splitCommand } from "./split-command.ts";
import type { Usage } from "./usage.ts";

const MAX_TEXT = 200_000;
const MAX_USAGES = 100;
const MAX_COMMAND = 1000;
const BEFORE_SCRIPT =
  /^(?:python\d?(?:\.\d+)?|node|bash|sh|zsh|ruby|perl|php|uv|uvx|run|npx|tsx|deno|bun|ts-node|pwsh|poetry|env|\$|>|%|-\w|--[\w-]+)$/;
const INLINE = /`([^`\n]{1,1000})`/g;

interface Surroundings {
  heading: string;
  /** The last lines of prose and comments. */
  above: string[];
}

/** The text of a skill stays the same over many turns. */
const KNOWN = new Map<string, readonly Usage[]>();
const MAX_KNOWN = 16;

/** The documented calls of scripts that the skill really has, in the order of its text. */
export function readUsages(skill: Pick<ActiveSkill, "text" | "scripts">): readonly Usage[] {
  const key = `${skill.scripts.join("\n")}\n\n${skill.text}`;
  const known = KNOWN.get(key);
  if (known !== undefined) return known;
  const usages = usagesIn(skill);
  const [oldest] = KNOWN.keys();
  if (KNOWN.size >= MAX_KNOWN && oldest !== undefined) KNOWN.delete(oldest);
  KNOWN.set(key, usages);
  return usages;
}

function usagesIn({ text, scripts }: Pick<ActiveSkill, "text" | "scripts">): Usage[] {
  const usages: Usage[] = [];
  const around: Surroundings = { heading: "", above: [] };
  let fence = "";
  let continued = "";
  for (const raw of text.slice(0, MAX_TEXT).split("\n")) {
    if (usages.length >= MAX_USAGES) break;
    const line = raw.slice(0, MAX_COMMAND);
    const mark = /^\s{0,8}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === "") fence = mark;
      else if (mark.startsWith(fence.slice(0, 3))) fence = "";
      continued = "";
      continue;
    }
    if (fence === "" && !/^(?: {4}|\t)/.test(line)) {
      readProse(line, around, scripts, usages);
      continue;
    }
    const command = (continued + line.trim()).slice(0, MAX_COMMAND);
    continued = command.endsWith("\\") ? `${command.slice(0, -1).trimEnd()} ` : "";
    if (continued !== "") continue;
    if (/^(?:#|\/\/)/.test(command)) note(around, command);
    else addUsage(command, around, scripts, usages);
  }
  return usages;
}

function readProse(
  line: string,
  around: Surroundings,
  scripts: readonly string[],
  usages: Usage[],
): void {
  const heading = /^ {0,3}#{1,6}\s+(.*)$/.exec(line)?.[1];
  if (heading !== undefined) {
    around.heading = heading;
    around.above = [];
  } else if (line.trim() !== "") note(around, line);
  for (const [, code = ""] of line.matchAll(INLINE)) {
    addUsage(code, { heading: around.heading, above: [line] }, scripts, usages);
  }
}

function note(around: Surroundings, line: string): void {
  around.above.push(line.slice(0, 300));
  if (around.above.length > 2) around.above.shift();
}

function addUsage(
  code: string,
  { heading, above }: Surroundings,
  scripts: readonly string[],
  usages: Usage[],
): void {
  const call = scriptCall(code, scripts);
  if (call === undefined) return;
  const words = [heading, ...above, call.comment, ...call.tokens].join("\n");
  usages.push({ script: call.script, parts: parseUsageParts(call.tokens), words });
}

interface ScriptCall {
  readonly script: string;
  readonly tokens: readonly string[];
  readonly comment: string;
}

/** The part of a command line that calls a script of the skill. */
export function scriptCall(code: string, scripts: readonly string[]): ScriptCall | undefined {
  const all = splitCommand(code.trim());
  const commentAt = all.findIndex((token) => token.startsWith("#"));
  const comment = commentAt < 0 ? "" : all.slice(commentAt).join(" ");
  const tokens = commentAt < 0 ? all : all.slice(0, commentAt);
  for (const [i, token] of tokens.entries()) {
    const script = scriptOf(token, scripts);
    if (script === undefined) continue;
    const before = tokens.slice(0, i);
    const start = before.findLastIndex((one) => /^(?:&&|;|\|\|?)$|;$/.test(one)) + 1;
    // What is piped in cannot be given to it here.
    if (before[start - 1] === "|") return undefined;
    if (!before.slice(start).every((one) => BEFORE_SCRIPT.test(one))) return undefined;
    const after = tokens.slice(i + 1);
    const end = after.findIndex((one) => /^(?:&&|;|\|\|?|\d?>{1,2}.*|<|<<.*|&)$/.test(one));
    if (end >= 0 && /^<(?!.*>)/.test(after[end] ?? "")) return undefined;
    return { script, tokens: end < 0 ? after : after.slice(0, end), comment };
  }
  return undefined;
}

/** `scripts/x.py` under any name of the skill's folder, or `x.py` alone if that is clear. */
function scriptOf(token: string, scripts: readonly string[]): string | undefined {
  const plain = token.replace(/^["']|["';]+$/g, "").replace(/^\.\//, "");
  const exact = scripts.find((script) => plain === script || plain.endsWith(`/${script}`));
  if (exact !== undefined) return exact;
  if (plain.includes("/") || !plain.includes(".")) return undefined;
  const [only, another] = scripts.filter((script) => script.endsWith(`/${plain}`));
  return another === undefined ? only : undefined;
}
