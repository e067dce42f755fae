import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

interface CatalogEntry {
  readonly id: string;
  readonly repo: string;
  readonly name: string;
  readonly description: string;
  readonly body: string;
}

export interface RoutingQuery {
  /** The id of the skill that should, or should not, be found. */
  readonly skill: string;
  readonly query: string;
  readonly shouldTrigger: boolean;
  readonly mentionsSkillName: boolean;
  readonly lang: string;
}

export interface RoutingData {
  readonly catalog: readonly CatalogEntry[];
  readonly queries: readonly RoutingQuery[];
}

/** Labelled queries, which are not part of the repository. */
export function readRoutingData(): RoutingData | undefined {
  const file = routingDataFile();
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

export function routingDataFile(): string {
  return process.env["SKILL_ROUTING_DATA"] ?? resolve("../shared/data/skill-routing-dev.json");
}
