import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { nearNames } from "@skillwright/core/internal";
import type { Candidate, FetchedPack, FetchOptions } from "../../fetched-pack.ts";
import type { PackFailure } from "../../pack-failure.ts";
import type { PackOrigin } from "../../pack-origin.ts";
import { foreignText } from "../foreign-text.ts";
import { newFolder, packOf, RemainingLimits } from "../pack-folder.ts";
import type { WebSource } from "../parse/parsed-source.ts";
import { sourceFailure } from "../source-failure.ts";
import { webContext } from "../web/web-context.ts";
import { findIndex } from "./find-index.ts";
import type { IndexEntry } from "./skill-index.ts";
import { takeEntry } from "./take-entry.ts";

/** The skills that a site publishes: all, or the one that is asked for. */
export async function fetchWellKnown(
  { url, source, skill }: WebSource,
  options: FetchOptions,
): Promise<FetchedPack | PackFailure> {
  const context = webContext(url, options);
  const index = await findIndex(context);
  if (!index.ok) return index;
  const entries = chooseEntries(index.entries, skill, source);
  if (!Array.isArray(entries)) return entries;
  const content = await newFolder(options, "pack");
  const remaining = new RemainingLimits(options.limits);
  const notes = [...index.notes];
  for (const entry of entries) {
    const folder = join(content, entry.name);
    await mkdir(folder);
    const work = await newFolder(options, "work");
    const taken = await takeEntry(entry, { work, folder, index: index.url, remaining, context });
    if (!taken.ok) return taken;
    notes.push(...taken.notes.map((note) => `${entry.name}: ${note}`));
    await rm(work, { recursive: true, force: true });
  }
  const origin = { type: "well-known", source } as const;
  const pack = await packOf({ content, origin, rootName: "", notes }, options);
  return pack.ok ? withOrigins(pack, entries) : pack;
}

function chooseEntries(
  entries: readonly IndexEntry[],
  skill: string | undefined,
  source: string,
): IndexEntry[] | PackFailure {
  const chosen = skill === undefined ? entries : entries.filter(({ name }) => name === skill);
  if (chosen.length > 0) return [...chosen];
  const names = entries.map(({ name }) => name);
  const what = skill === undefined ? "no skill that can be taken" : `no skill “${skill}”`;
  return sourceFailure("source-missing", `the index of ${foreignText(source)} has ${what}`, {
    candidates: skill === undefined ? [] : nearNames(skill, names),
  });
}

/** A skill must be the one that the index promised under that name, and says where it is from. */
function withOrigins(pack: FetchedPack, entries: readonly IndexEntry[]): FetchedPack | PackFailure {
  const skills: Candidate[] = [];
  const notes = [...pack.notes];
  for (const candidate of pack.skills) {
    const entry = entries.find(({ name }) => name === candidate.path.split("/")[0]);
    if (entry === undefined || candidate.name !== entry.name) {
      const listed = entry === undefined ? "" : `, listed as ${entry.name}`;
      notes.push(`left out: a skill that calls itself ${foreignText(candidate.name)}${listed}`);
      continue;
    }
    skills.push({ ...candidate, origin: originOf(pack.origin, entry) });
  }
  if (skills.length > 0) return { ...pack, skills, notes };
  const message = "the skills of the index do not have the names it gives them";
  return sourceFailure("skill-invalid", message, { hint: `${notes.join("; ")}.` });
}

function originOf(origin: PackOrigin, entry: IndexEntry): PackOrigin {
  const integrity = entry.type === "files" ? {} : { integrity: entry.digest };
  return { ...origin, path: entry.name, ...integrity };
}
