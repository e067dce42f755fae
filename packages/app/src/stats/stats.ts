import { existsSync } from "node:fs";
import { join } from "node:path";
import type { FileStore } from "@skillwright/agent/internal";
import type { SkillRecord } from "@skillwright/core";
import { readCases } from "@skillwright/evals";
import { wordsOf } from "./run-figures.ts";
import { readRunIndex } from "./run-index.ts";

export interface StatsRequest {
  /** Only runs that began then or later, in milliseconds since 1970. Default: all. */
  readonly since?: number;
}

/** What skills did and cost, from the records of runs. Nothing is counted twice: a child run counts itself. */
export interface SkillStats {
  readonly ok: true;
  readonly since?: string;
  /** Child runs included. */
  readonly runs: number;
  readonly children: number;
  /** Answers of a model. */
  readonly turns: number;
  readonly tokens: { readonly input: number; readonly output: number };
  /** In US dollars, where the price of the model is known. */
  readonly cost: number;
  /** Of it, what was spent while no skill was active. */
  readonly costWithoutSkill: number;
  /** What the catalogs of all skills took of the input: in all, and on average per turn. */
  readonly catalog: { readonly tokens: number; readonly tokensPerTurn: number };
  /** Records that were damaged or could not be read. What could be read of them counts. */
  readonly damaged: number;
  /** The most expensive first. */
  readonly skills: readonly SkillStat[];
  /** As `name@source`: can be used now, and was not in this time. */
  readonly neverUsed: readonly string[];
  /** By their average time, the slowest first. */
  readonly slowestScripts: readonly ScriptStat[];
}

export interface SkillStat {
  readonly name: string;
  readonly source: string;
  /** Runs in whose catalog it was. */
  readonly offered: number;
  /** Runs that were pointed to it by their request. */
  readonly routed: number;
  /** Runs in which its instructions were loaded. */
  readonly activated: number;
  /** Runs that were routed to it, or whose request is like one of its trigger examples, and that did not use it. */
  readonly misses: number;
  readonly scripts: {
    readonly runs: number;
    readonly failed: number;
    readonly interrupted: number;
  };
  readonly gateViolations: number;
  /** Input tokens, counted in each turn that they were sent in. */
  readonly tokens: { readonly catalog: number; readonly body: number; readonly files: number };
  /** Of the turns in which it was active, shared equally with other skills that were. */
  readonly cost: number;
}

export interface ScriptStat {
  readonly skill: string;
  readonly script: string;
  readonly runs: number;
  readonly averageMs: number;
  readonly maxMs: number;
}

type Draft = {
  name: string;
  source: string;
  offered: number;
  routed: number;
  activated: number;
} & {
  misses: number;
  gateViolations: number;
  cost: number;
  scripts: { runs: number; failed: number; interrupted: number };
  tokens: { catalog: number; body: number; files: number };
};

const MAX_SCRIPTS = 10;

export async function skillStats(
  store: FileStore,
  skills: readonly SkillRecord[],
  cacheDirectory: string,
  { since }: StatsRequest = {},
): Promise<SkillStats> {
  const { runs, catalogs, unreadable } = await readRunIndex(store, cacheDirectory);
  const from = since === undefined ? "" : new Date(since).toISOString();
  const counted = runs.flatMap(([, run]) => (run.time >= from ? [run] : []));
  const usable = skills.filter(
    ({ trusted, enabled, shadowedBy, modelInvocable, userInvocable }) =>
      trusted && enabled && shadowedBy === undefined && (modelInvocable || userInvocable),
  );
  const examples = new Examples(await triggerExamples(usable));
  const stats = new Map<string, Draft>();
  const of = (key: string) => {
    const draft = stats.get(key) ?? newDraft(key);
    stats.set(key, draft);
    return draft;
  };
  for (const { name, source } of usable) of(`${name}@${source}`);
  const used = new Set<string>();
  const total = { turns: 0, input: 0, output: 0, cost: 0, catalog: 0, children: 0, damaged: 0 };
  const perCatalog = new Map<string, { runs: number; turns: number }>();
  const scripts = new Map<
    string,
    { skill: string; script: string; runs: number; ms: number; max: number }
  >();
  for (const run of counted) {
    total.turns += run.turns;
    total.input += run.input;
    total.output += run.output;
    total.cost += run.cost;
    if (run.child) total.children++;
    if (run.damaged !== undefined) total.damaged++;
    const catalog = perCatalog.get(run.catalog) ?? { runs: 0, turns: 0 };
    perCatalog.set(run.catalog, catalog);
    catalog.runs++;
    catalog.turns += run.turns;
    const missed = new Set(run.words === undefined ? [] : examples.matching(run.words));
    const offered = catalogs.get(run.catalog)?.skills ?? [];
    for (const key of missed) if (!offered.some(([one]) => one === key)) missed.delete(key);
    for (const [key, figures] of Object.entries(run.skills)) {
      // A child run is already the use of its skill.
      if (figures.routed && !run.child) missed.add(key);
      if (figures.used) {
        used.add(key);
        missed.delete(key);
      }
      const skill = of(key);
      skill.activated += figures.activated ?? 0;
      skill.routed += figures.routed ?? 0;
      skill.gateViolations += figures.violations ?? 0;
      skill.tokens.body += figures.body ?? 0;
      skill.tokens.files += figures.files ?? 0;
      skill.cost += figures.cost ?? 0;
    }
    for (const key of missed) of(key).misses++;
    for (const [key, ofSkill] of Object.entries(run.scripts)) {
      const skill = of(key);
      for (const [script, [began, failed, interrupted, ms, max]] of Object.entries(ofSkill)) {
        skill.scripts.runs += began;
        skill.scripts.failed += failed;
        skill.scripts.interrupted += interrupted;
        const name = `${key}\n${script}`;
        const sum = scripts.get(name) ?? { skill: key, script, runs: 0, ms: 0, max: 0 };
        scripts.set(name, sum);
        sum.runs += began - interrupted;
        sum.ms += ms;
        sum.max = Math.max(sum.max, max);
      }
    }
  }
  for (const [key, { runs: inRuns, turns }] of perCatalog) {
    const { tokens = 0, skills: listed = [] } = catalogs.get(key) ?? {};
    total.catalog += tokens * turns;
    const weight = listed.reduce((sum, [, one]) => sum + one, 0);
    for (const [name, one] of listed) {
      const skill = of(name);
      skill.offered += inRuns;
      skill.tokens.catalog += (tokens * turns * one) / weight;
    }
  }
  // A gate of the project or the operator belongs to no skill.
  stats.delete("");
  const list = [...stats.values()].map(rounded).toSorted(byCost);
  const assigned = list.reduce((sum, { cost }) => sum + cost, 0);
  return {
    ok: true,
    ...(since !== undefined && { since: from }),
    runs: counted.length,
    children: total.children,
    turns: total.turns,
    tokens: { input: total.input, output: total.output },
    cost: total.cost,
    costWithoutSkill: Math.max(0, total.cost - assigned),
    catalog: {
      tokens: total.catalog,
      tokensPerTurn: total.turns === 0 ? 0 : Math.round(total.catalog / total.turns),
    },
    damaged: total.damaged + unreadable,
    skills: list,
    neverUsed: usable
      .map(({ name, source }) => `${name}@${source}`)
      .filter((key) => !used.has(key))
      .toSorted(),
    slowestScripts: [...scripts.values()]
      .filter(({ runs: ended }) => ended > 0)
      .map(({ ms, max, ...one }) => ({
        ...one,
        averageMs: Math.round(ms / one.runs),
        maxMs: Math.round(max),
      }))
      .toSorted((a, b) => b.averageMs - a.averageMs)
      .slice(0, MAX_SCRIPTS),
  };
}

function newDraft(key: string): Draft {
  const at = key.indexOf("@");
  return {
    name: at === -1 ? key : key.slice(0, at),
    source: at === -1 ? "" : key.slice(at + 1),
    offered: 0,
    routed: 0,
    activated: 0,
    misses: 0,
    scripts: { runs: 0, failed: 0, interrupted: 0 },
    gateViolations: 0,
    tokens: { catalog: 0, body: 0, files: 0 },
    cost: 0,
  };
}

function rounded(draft: Draft): SkillStat {
  const { tokens } = draft;
  return { ...draft, tokens: { ...tokens, catalog: Math.round(tokens.catalog) } };
}

function byCost(a: SkillStat, b: SkillStat): number {
  const sum = ({ tokens }: SkillStat) => tokens.body + tokens.files + tokens.catalog;
  return (
    b.cost - a.cost || sum(b) - sum(a) || b.activated - a.activated || (a.name < b.name ? -1 : 1)
  );
}

/** By `name@source`: requests that should lead to a skill, from the cases in its own folder. */
async function triggerExamples(
  skills: readonly SkillRecord[],
): Promise<readonly (readonly [string, string])[]> {
  const found: [string, string][] = [];
  for (const { name, source, path } of skills) {
    const folder = ["evals", "eval"].map((one) => join(path, one)).find((one) => existsSync(one));
    if (folder === undefined) continue;
    const { cases } = await readCases(folder);
    for (const { input, expected } of cases) {
      if (expected.skills?.used.includes(name)) found.push([`${name}@${source}`, input]);
    }
  }
  return found;
}

/** At least this part of all words of a request and an example are in both. */
const LEAST_ALIKE = 0.6;

class Examples {
  readonly #byWord = new Map<number, number[]>();
  readonly #examples: readonly { readonly skill: string; readonly words: number }[];

  constructor(examples: readonly (readonly [skill: string, text: string])[]) {
    this.#examples = examples.map(([skill, text], i) => {
      const words = wordsOf(text);
      for (const word of words) {
        const list = this.#byWord.get(word) ?? [];
        this.#byWord.set(word, list);
        list.push(i);
      }
      return { skill, words: words.length };
    });
  }

  matching(request: readonly number[]): readonly string[] {
    const shared = new Map<number, number>();
    for (const word of request) {
      for (const i of this.#byWord.get(word) ?? []) shared.set(i, (shared.get(i) ?? 0) + 1);
    }
    return [...shared].flatMap(([i, both]) => {
      const example = this.#examples[i];
      const all = request.length + (example?.words ?? 0) - both;
      return example !== undefined && both >= LEAST_ALIKE * all ? [example.skill] : [];
    });
  }
}
