import { createSkillIndex } from "../../packages/core/src/search/create-skill-index.ts";
import type { RoutingData, RoutingQuery } from "./routing-data.ts";

export interface Quality {
  readonly count: number;
  readonly first: number;
  readonly firstFive: number;
  readonly reciprocalRank: number;
}

export interface RoutingQuality {
  readonly all: Quality;
  readonly chinese: Quality;
  /** The average over repositories, each counting the same. */
  readonly byRepository: Quality;
  /** How often the skill that a query is not for comes first. */
  readonly negatives: Quality;
}

interface Ranked {
  readonly query: RoutingQuery;
  readonly repository: string;
  /** From 1; infinite when the skill was not found. */
  readonly rank: number;
}

/** How well skills are found by what their authors say people ask. Those that name the skill are left out. */
export function measureRouting(data: RoutingData, withBodies: boolean): RoutingQuality {
  const ranked = rankAll(data, withBodies);
  const positive = ranked.filter(({ query }) => query.shouldTrigger);
  const repositories = new Set(positive.map(({ repository }) => repository));
  return {
    all: qualityOf(positive),
    chinese: qualityOf(positive.filter(({ query }) => query.lang === "zh")),
    byRepository: average(
      [...repositories].map((name) =>
        qualityOf(positive.filter(({ repository }) => repository === name)),
      ),
    ),
    negatives: qualityOf(ranked.filter(({ query }) => !query.shouldTrigger)),
  };
}

function rankAll({ catalog, queries }: RoutingData, withBodies: boolean): Ranked[] {
  const index = createSkillIndex(
    catalog.map(({ id, name, description, body }) =>
      withBodies ? { id, name, description, body } : { id, name, description },
    ),
  );
  const repositories = new Map(catalog.map(({ id, repo }) => [id, repo]));
  return queries
    .filter(({ shouldTrigger, mentionsSkillName }) => !(shouldTrigger && mentionsSkillName))
    .map((query) => {
      const hits = index.search(query.query, { limit: catalog.length });
      const place = hits.findIndex(({ id }) => id === query.skill);
      const rank = place < 0 ? Number.POSITIVE_INFINITY : place + 1;
      return { query, rank, repository: repositories.get(query.skill) ?? "" };
    });
}

function qualityOf(ranked: readonly Ranked[]): Quality {
  const share = (limit: number) => ranked.filter(({ rank }) => rank <= limit).length;
  const count = Math.max(1, ranked.length);
  return {
    count: ranked.length,
    first: share(1) / count,
    firstFive: share(5) / count,
    reciprocalRank: ranked.reduce((sum, { rank }) => sum + 1 / rank, 0) / count,
  };
}

function average(qualities: readonly Quality[]): Quality {
  const mean = (of: (quality: Quality) => number) =>
    qualities.reduce((sum, quality) => sum + of(quality), 0) / Math.max(1, qualities.length);
  return {
    count: qualities.length,
    first: mean(({ first }) => first),
    firstFive: mean(({ firstFive }) => firstFive),
    reciprocalRank: mean(({ reciprocalRank }) => reciprocalRank),
  };
}
