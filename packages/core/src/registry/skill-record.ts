import type { Diagnostic } from "../format/diagnostic.ts";
import type { RunMode } from "../format/draft.ts";
import type { ToolRule } from "../format/tool-rules.ts";
import { defined } from "../internal/options.ts";

/** A skill as the registry knows it: level 1, where it is, and what may be done with it. */
export interface SkillRecord {
  /** Source, relative path and version: `project:pdf@1.2`. Names may repeat, ids do not. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  /** `project`, `user`, `builtin`, or a label. */
  readonly source: string;
  readonly root: string;
  readonly relativePath: string;
  /** The skill's folder; `inline:<name>` for a skill defined in code. */
  readonly path: string;
  /** Of a skill that is in no folder here: where its source has it. */
  readonly uri?: string;
  /** Other folders that hold the same content. */
  readonly alsoAt: readonly string[];
  /** The sources of those folders, in the same order. */
  readonly alsoFrom: readonly string[];
  /** Whether the skill itself lets a model, or a person, call it. */
  readonly modelInvocable: boolean;
  readonly userInvocable: boolean;
  readonly runMode: RunMode;
  /** The author's own key-value pairs; empty when there are none. For people and hosts, not for models. */
  readonly metadata: Readonly<Record<string, string>>;
  /** What `allowed-tools` declares. Absent when the skill declares nothing. */
  readonly allowedTools?: readonly ToolRule[];
  /** Whether the host lets it be disclosed and run. */
  readonly trusted: boolean;
  readonly enabled: boolean;
  /** Id of the skill of the same name that comes first. */
  readonly shadowedBy?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a model may know of: allowed by the skill, trusted, and not switched off. */
export function isVisibleToModel(record: SkillRecord): boolean {
  return record.modelInvocable && record.trusted && record.enabled;
}

/** Where it is, in words for people. */
export function placeText({ source, uri, path }: SkillRecord): string {
  return uri === undefined ? path : `${source} (${uri})`;
}

const FOLDED = /^[a-z0-9:@./-]*$/;

/** Names are compared without regard to case and Unicode form. */
export function foldName(name: string): string {
  return FOLDED.test(name) ? name : name.normalize("NFKC").toLowerCase();
}

/** Skills that names are looked up in. */
export interface NamedSkills {
  readonly all: readonly SkillRecord[];
  readonly shadowed: readonly SkillRecord[];
}

/** What precedence among some of the skills is decided from. */
interface AllSkills {
  readonly everything: readonly SkillRecord[];
  readonly copies: ReadonlyMap<string, string>;
}

/** Looks names up: name, `name@source`, folder or id, without regard to case. */
export function createNameIndex(skills: NamedSkills): (name: string) => SkillRecord | undefined {
  const index = indexNames(skills);
  return (name) => index.get(foldName(name)) ?? skillFromSource(name, skills);
}

/** Names first, then folders and ids, so that nothing takes a name away from its skill. */
function indexNames({ all, shadowed }: NamedSkills): Map<string, SkillRecord> {
  const index = new Map<string, SkillRecord>();
  const add = (key: string, skill: SkillRecord) => {
    const folded = foldName(key);
    if (!index.has(folded)) index.set(folded, skill);
  };
  for (const skill of all) if (skill.shadowedBy === undefined) add(skill.name, skill);
  for (const skill of all) {
    add(skill.relativePath, skill);
    add(skill.relativePath.slice(skill.relativePath.lastIndexOf("/") + 1), skill);
  }
  for (const skill of shadowed) add(skill.relativePath, skill);
  for (const skill of [...all, ...shadowed]) add(skill.id, skill);
  return index;
}

/**
 * What `name@source` means, shadowed or not: preferably the skill of which both name and path are that.
 * For an MCP server its label alone is enough.
 */
function skillFromSource(name: string, { all, shadowed }: NamedSkills): SkillRecord | undefined {
  const at = name.lastIndexOf("@");
  if (at <= 0) return undefined;
  const wanted = foldName(name.slice(0, at));
  const source = foldName(name.slice(at + 1));
  const meant = (skill: SkillRecord) =>
    [skill.name, skill.relativePath].filter((one) => foldName(one) === wanted).length;
  const isFrom = (skill: SkillRecord, wantedSource: string) =>
    [skill.source, ...skill.alsoFrom].some((other) => foldName(other) === wantedSource);
  const skills = [...all, ...shadowed]
    .filter((skill) => meant(skill) > 0)
    .toSorted((a, b) => meant(b) - meant(a));
  return (
    skills.find((skill) => isFrom(skill, source)) ??
    skills.find((skill) => isFrom(skill, `mcp:${source}`))
  );
}

/** The skills for which `includes` holds, with precedence and copies decided among them alone. */
export function narrowSkills(
  { everything, copies }: AllSkills,
  includes: (record: SkillRecord) => boolean,
): NamedSkills {
  const all: Narrowed[] = [];
  const shadowed: Narrowed[] = [];
  const winners = new Map<string, Narrowed>();
  const included = new Map<string, Narrowed>();
  for (const record of everything) {
    if (!includes(record)) continue;
    const original = included.get(copies.get(record.id) ?? "");
    if (original !== undefined) {
      original.copies.push(record);
      continue;
    }
    const narrowed: Narrowed = { record, copies: [], shadowedBy: undefined };
    included.set(record.id, narrowed);
    const key = foldName(record.name);
    const winner = winners.get(key);
    if (winner === undefined || (record.trusted && !winner.record.trusted)) {
      if (winner !== undefined) winner.shadowedBy = record.id;
      winners.set(key, narrowed);
      all.push(narrowed);
      continue;
    }
    const { root, source, path, id } = winner.record;
    const isNamedTwice = path === record.path && !path.startsWith("inline:");
    const isInOneRoot = root === record.root && source === record.source;
    if (!(isInOneRoot && isNamedTwice)) narrowed.shadowedBy = id;
    (isInOneRoot ? all : shadowed).push(narrowed);
  }
  return { all: all.map(recordOf), shadowed: shadowed.map(recordOf) };
}

/** A skill among fewer: what shadows it there, and which copies of it there are. */
interface Narrowed {
  readonly record: SkillRecord;
  readonly copies: SkillRecord[];
  shadowedBy: string | undefined;
}

/** The last one made of each record: what is remembered about a skill is remembered by its record. */
const made = new WeakMap<SkillRecord, SkillRecord>();

function recordOf({ record, copies, shadowedBy }: Narrowed): SkillRecord {
  const alsoAt = copies.map(({ path }) => path);
  const isSame = (other: SkillRecord) =>
    other.shadowedBy === shadowedBy && other.alsoAt.join("\0") === alsoAt.join("\0");
  if (isSame(record)) return record;
  const known = made.get(record);
  if (known !== undefined && isSame(known)) return known;
  const { shadowedBy: _, ...rest } = record;
  const alsoFrom = copies.map(({ source }) => source);
  const narrowed = { ...rest, alsoAt, alsoFrom, ...defined({ shadowedBy }) };
  made.set(record, narrowed);
  return narrowed;
}
