import type { SkillRecord } from "../registry/skill-record.ts";

export interface CatalogOptions {
  /** Default: "xml". */
  readonly format?: CatalogFormat;
  /** Without a budget every visible skill is there in full. */
  readonly budgetTokens?: number;
  /** Ids of the skills that matter most, such as the last used ones or what a query found. */
  readonly rank?: readonly string[];
  /** Which of the visible skills. */
  readonly include?: (record: SkillRecord) => boolean;
  /** Name of the tool that finds what is not listed. */
  readonly searchTool?: string;
  /** Also say where each skill is. Default: no. */
  readonly locations?: boolean;
  /** Text in which `{skills}` stands for the list. Default: the list alone. */
  readonly template?: string;
}

/** How much a catalog says of a skill. */
export type Level = "full" | "short" | "name" | "omitted";

export type CatalogFormat = "xml" | "markdown" | "json";
