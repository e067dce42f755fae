import { realpathSync } from "node:fs";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { Mutable, SkillMetadata } from "../format/parsed-skill.ts";
import { rootDiagnostic } from "../sources/root-diagnostic.ts";
import { skillShadowed } from "../sources/scan-rules.ts";
import type { FoundSkill, InlineSkill } from "../sources/skill-source.ts";
import { foldName, type SkillRecord } from "./skill-record.ts";

/** All skills at one moment. Never changes; a new scan makes a new one. */
export interface Snapshot {
  /** The winners, and all of one root, in order of precedence. */
  readonly all: readonly SkillRecord[];
  readonly shadowed: readonly SkillRecord[];
  /** Folders with a SKILL.md that cannot be used. */
  readonly unusable: readonly FoundSkill[];
  readonly diagnostics: readonly Diagnostic[];
  /** What changes when a skill's SKILL.md does, by id. */
  readonly stamps: ReadonlyMap<string, string>;
  /** What skills defined in code consist of, by id. */
  readonly inline: ReadonlyMap<string, InlineSkill>;
}

export const EMPTY_SNAPSHOT: Snapshot = {
  all: [],
  shadowed: [],
  unusable: [],
  diagnostics: [],
  stamps: new Map(),
  inline: new Map(),
};

export interface SnapshotOptions {
  readonly isTrusted: (skill: FoundSkill) => boolean | Promise<boolean>;
  readonly isEnabled: (skill: FoundSkill) => boolean;
}

/** Decides precedence. `found` is in order of precedence, root by root. */
export async function buildSnapshot(
  found: readonly FoundSkill[],
  rootDiagnostics: readonly Diagnostic[],
  options: SnapshotOptions,
): Promise<Snapshot> {
  const all: SkillRecord[] = [];
  const shadowed: SkillRecord[] = [];
  const unusable: FoundSkill[] = [];
  const diagnostics: Diagnostic[] = [...rootDiagnostics];
  const winners = new Map<string, Mutable<SkillRecord>>();
  const stamps = new Map<string, string>();
  const inline = new Map<string, InlineSkill>();
  for (const skill of found) {
    for (const diagnostic of skill.diagnostics) diagnostics.push(diagnostic);
    if (skill.metadata === undefined) {
      unusable.push(skill);
      continue;
    }
    const trust = options.isTrusted(skill);
    // Awaiting what is no promise costs more than the rest of this loop.
    const trusted = typeof trust === "boolean" ? trust : await trust;
    const record = recordOf(skill, skill.metadata, trusted, options, stamps);
    stamps.set(record.id, skill.stamp ?? "");
    if (skill.inline !== undefined) inline.set(record.id, skill.inline);
    const key = foldName(record.name);
    const winner = winners.get(key);
    if (winner === undefined || winner.root === skill.root) {
      if (winner === undefined) winners.set(key, record);
      all.push(record);
    } else if (
      !inline.has(winner.id) &&
      !inline.has(record.id) &&
      (await haveSameContent(winner, record))
    ) {
      winner.alsoAt = [...winner.alsoAt, record.path];
      winner.alsoFrom = [...winner.alsoFrom, record.source];
      // The same files: what is trusted in one place is trusted in the other.
      winner.trusted ||= record.trusted;
    } else {
      record.shadowedBy = winner.id;
      shadowed.push(record);
      const message = `\`${record.name}\` is shadowed by the one in ${winner.path}`;
      diagnostics.push(rootDiagnostic(skillShadowed, record.path, message));
    }
  }
  return { all, shadowed, unusable, diagnostics, stamps, inline };
}

function recordOf(
  skill: FoundSkill,
  metadata: SkillMetadata,
  trusted: boolean,
  { isEnabled }: SnapshotOptions,
  ids: ReadonlyMap<string, unknown>,
): Mutable<SkillRecord> {
  const { source, root, relativePath, directory, diagnostics } = skill;
  const { name, description, version, userInvocable, runMode } = metadata;
  const id =
    version === undefined ? `${source}:${relativePath}` : `${source}:${relativePath}@${version}`;
  const record: Mutable<SkillRecord> = {
    id: uniqueId(id, ids),
    name,
    description,
    source,
    root,
    relativePath,
    path: directory ?? `inline:${name}`,
    alsoAt: NOWHERE,
    alsoFrom: NOWHERE,
    modelInvocable: !metadata.disableModelInvocation && !metadata.hiddenFromModel,
    userInvocable,
    runMode,
    trusted,
    enabled: isEnabled(skill),
    diagnostics,
  };
  if (version !== undefined) record.version = version;
  return record;
}

const NOWHERE: readonly string[] = [];

/** Two roots of one source may hold the same relative path. */
function uniqueId(wanted: string, ids: ReadonlyMap<string, unknown>): string {
  let id = wanted;
  for (let i = 2; ids.has(id); i++) id = `${wanted}#${i}`;
  return id;
}

/** The same folder by another way, or a folder with the same files. */
async function haveSameContent(a: SkillRecord, b: SkillRecord): Promise<boolean> {
  if (a.description !== b.description) return false;
  try {
    const realA = realpathSync(a.path);
    const realB = realpathSync(b.path);
    if (realA === realB) return true;
    const { skillDigest } = await import("../directory/skill-digest.ts");
    const [digestA, digestB] = await Promise.all([skillDigest(realA), skillDigest(realB)]);
    return digestA === digestB;
  } catch {
    return false;
  }
}
