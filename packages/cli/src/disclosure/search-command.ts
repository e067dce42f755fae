import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Conversation } from "@skillwright/core";
import { plural, visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import {
  addMcpSkills,
  openSessionSkills,
  openSession,
  type SessionOptions,
} from "@skillwright/app/internal";
import { breakText } from "../terminal/break-text.ts";
import { relativePath } from "../terminal/relative-path.ts";

export interface SearchCommandOptions extends SessionOptions {
  readonly limit?: string;
  /** Which words of the query each result has. */
  readonly why?: boolean;
}

/**
 * Of 1,034 labelled requests to 750 public skills, 919 find the right skill among 20 hits; 97.6 % of these score at least 0.05
 * (90.0 % at 0.16). No floor separates requests about something else: of 28 such, 24 have a hit at 0.05 and 19 at 0.16.
 * At 0.3 it is 6 of 28, and 76 % of the right requests: below it the hits are shown with a caveat.
 */
const FLOOR = 0.05;
const CLOSE = 0.3;
const DESCRIPTION_LINES = 2;

/** Finds skills by what they are for. */
export async function searchCommand(
  words: readonly string[],
  options: SearchCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const limit = readLimit(options.limit);
  const session = await openSession(options, console);
  const opened = { session, skills: await openSessionSkills(session, options, console) };
  const { skills } = await addMcpSkills(opened, options, console, { isForModel: false });
  const { source } = options;
  const view = skills.conversation({
    audience: "person",
    ...(source !== undefined && { include: (record) => record.source === source }),
  });
  const hits = await view.search(words.join(" "), { limit: 4 * limit });
  const fitting = hits.filter(({ score }) => score >= FLOOR);
  const found = (await withoutCopies(fitting)).slice(0, limit);
  const results = options.why === true ? await withMatches(found, words.join(" "), view) : found;
  if (console.json) {
    console.printJson({ results });
    return EXIT.done;
  }
  if (results.length === 0) {
    const [closest] = hits;
    const near = closest === undefined ? "" : ` The closest is ${visibleLine(closest.name)}.`;
    console.note(`Nothing fits.${near} skillwright list shows all skills.`);
    return EXIT.done;
  }
  if (results.every(({ score }) => score < CLOSE)) {
    console.note("No close match. These skills share some words with the query:");
  }
  for (const result of results) print(result, console);
  return EXIT.done;
}

type SkillHit = Awaited<ReturnType<Conversation["search"]>>[number];
type Result = SkillHit & {
  readonly copies?: readonly string[];
  readonly matches?: readonly string[];
};

async function withMatches(results: readonly Result[], query: string, view: Conversation) {
  return Promise.all(
    results.map(async (result) => ({
      ...result,
      matches: await view.matches(query, `${result.name}@${result.source}`),
    })),
  );
}

function print(result: Result, console: Console) {
  const { name, score, source, path, description, copies = [], matches } = result;
  if (console.quiet) return console.print(visibleLine(name));
  const { bold, dim } = console.colors;
  const room = Math.min(console.width, 100) - 3;
  const percent = `${Math.min(100, Math.round(100 * score))} %`;
  const place = path.startsWith("/") ? relativeIfInside(path, console.cwd) : path;
  const more =
    copies.length > 0 ? ` and ${plural(copies.length, "identical copy", "identical copies")}` : "";
  console.print(`${bold(visibleLine(name))}  ${dim(`${percent}  ${source}`)}`);
  console.print(dim(`  ${visibleLine(place)}${more}`));
  if (matches !== undefined) {
    const words = matches.length === 0 ? "parts of words only" : matches.join(", ");
    console.print(dim(`  matches: ${visibleLine(words)}`));
  }
  for (const line of breakText(visibleLine(description), room, DESCRIPTION_LINES)) {
    console.print(`  ${line}`);
  }
}

function relativeIfInside(path: string, cwd: string): string {
  const relative = relativePath(path, cwd);
  return relative.startsWith("../") ? path : relative;
}

/** One hit for all that have the same SKILL.md, the best one. */
async function withoutCopies(hits: readonly SkillHit[]): Promise<Result[]> {
  const firsts = new Map<string, Result & { copies: string[] }>();
  for (const hit of hits) {
    const text = await readFile(join(hit.path, "SKILL.md")).catch(() => undefined);
    const key = text
      ? createHash("sha256").update(text).digest("hex")
      : `${hit.source} ${hit.path}`;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, { ...hit, copies: [] });
    else first.copies.push(hit.path);
  }
  return Array.from(firsts.values(), ({ copies, ...hit }) =>
    copies.length > 0 ? { ...hit, copies } : hit,
  );
}

function readLimit(text = "5"): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0 && limit <= 1000) return limit;
  throw new CommandFailure(EXIT.usage, `"${text}" is not a number of results`);
}
