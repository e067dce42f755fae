import { realpathSync } from "node:fs";
import type { Diagnostic, Mutable } from "../format/diagnostic.ts";
import type { SkillMetadata } from "../format/draft.ts";
import {
  nameRepeated,
  rootDiagnostic,
  skillShadowed,
  trustUndecided,
} from "../sources/scan-rules.ts";
import type { FoundSkill, InlineSkill } from "../sources/skill-source.ts";
import { foldName, placeText, type SkillRecord } from "./skill-record.ts";
import type { TrustDecision } from "./trust-store.ts";

/** A map that is made when somebody first looks into it: most are never looked into. */
class LateMap {
  readonly #keys: string[] = [];
  readonly #values: string[] = [];
  #made: Map<string, string> | undefined;

  add(key: string, value: string): void {
    this.#keys.push(key);
    this.#values.push(value);
  }

  get(key: string): string | undefined {
    this.#made ??= new Map(this.#keys.map((name, index) => [name, this.#values[index] ?? ""]));
    return this.#made.get(key);
  }
}

/** What a skill must still be to be trusted: this content, or this very folder. */
type TrustBasis = { readonly digest: string } | { readonly realPath: string };

/** What two records have in common: one folder by two ways, or the same files. */
async function sameContent(a: SkillRecord, b: SkillRecord): Promise<TrustBasis | undefined> {
  if (a.description !== b.description) return undefined;
  try {
    const realPath = realpathSync(a.path);
    if (realPath === realpathSync(b.path)) return { realPath };
    const { skillDigest } = await import("../directory/skill-files.ts");
    const [digest, other] = await Promise.all([skillDigest(a.path), skillDigest(b.path)]);
    return digest === other ? { digest } : undefined;
  } catch {
    return undefined;
  }
}

/** Looks at the files as they are now. */
export async function holds(basis: TrustBasis, { path }: SkillRecord): Promise<boolean> {
  try {
    if ("realPath" in basis) return realpathSync(path) === basis.realPath;
    const { skillDigest } = await import("../directory/skill-files.ts");
    return (await skillDigest(path)) === basis.digest;
  } catch {
    return false;
  }
}

/**
 * Makes the ids of skills differ: two roots of one source may hold the same relative path. Ids are
 * only looked up once that can be; one root gives each path once, in order.
 */
export class UniqueIds {
  readonly #all: string[] = [];
  readonly #sources = new Set<string>();
  #known: Set<string> | undefined;
  #last: FoundSkill | undefined;

  next(skill: FoundSkill, wanted: string): string {
    if (!this.#isSurelyNew(skill)) this.#known ??= new Set(this.#all);
    this.#last = skill;
    let id = wanted;
    for (let i = 2; this.#known?.has(id) === true; i++) id = `${wanted}#${i}`;
    if (this.#known === undefined) this.#all.push(id);
    else this.#known.add(id);
    return id;
  }

  #isSurelyNew({ root, source, relativePath }: FoundSkill): boolean {
    if (this.#last === undefined || this.#last.root !== root || this.#last.source !== source) {
      const isFirst = !this.#sources.has(source);
      this.#sources.add(source);
      return isFirst && !relativePath.includes("@");
    }
    // A version stands behind an @, and a path may have one too.
    return this.#last.relativePath < relativePath && !relativePath.includes("@");
  }
}

/** All skills at one moment. Never changes; a new scan makes a new one. */
export interface Snapshot {
  /**
   * In order of precedence: the winners, all of one root, and those that would be winners if they
   * were trusted. The last two kinds are shadowed by one that comes first.
   */
  readonly all: readonly SkillRecord[];
  readonly shadowed: readonly SkillRecord[];
  /** Every skill that can be used, in the order of the roots: what precedence is decided from. */
  readonly everything: readonly SkillRecord[];
  /** Of skills with the same files as one that comes first: its id, by their own. */
  readonly copies: ReadonlyMap<string, string>;
  /** Folders with a SKILL.md that cannot be used. */
  readonly unusable: readonly FoundSkill[];
  readonly diagnostics: readonly Diagnostic[];
  /** Those about roots, which may be why a skill is not there. */
  readonly rootDiagnostics: readonly Diagnostic[];
  /** What changes when a skill's SKILL.md does, by id. */
  readonly stamps: Pick<ReadonlyMap<string, string>, "get">;
  /** What skills defined in code consist of, by id. */
  readonly inline: ReadonlyMap<string, InlineSkill>;
  /** What the trust in a skill rests on, by id, where that is not its place. */
  readonly trustBases: ReadonlyMap<string, TrustBasis>;
}

export const EMPTY_SNAPSHOT: Snapshot = {
  all: [],
  shadowed: [],
  everything: [],
  copies: new Map(),
  unusable: [],
  diagnostics: [],
  rootDiagnostics: [],
  stamps: new Map(),
  inline: new Map(),
  trustBases: new Map(),
};

interface SnapshotOptions {
  /** Default: all are. */
  readonly isTrusted?: TrustDecision | undefined;
  /** Default: all are. */
  readonly isEnabled?: ((skill: FoundSkill) => boolean) | undefined;
}

/** Decides precedence. `found` is in order of precedence, root by root. */
export async function buildSnapshot(
  found: readonly FoundSkill[],
  rootDiagnostics: readonly Diagnostic[],
  options: SnapshotOptions,
): Promise<Snapshot> {
  const builder = new SnapshotBuilder(rootDiagnostics, options);
  for (const skill of found) {
    const added = builder.add(skill);
    // Awaiting what is no promise costs more than the rest of this loop.
    if (added !== undefined) await added;
  }
  return builder.snapshot();
}

class SnapshotBuilder {
  readonly all: SkillRecord[] = [];
  readonly shadowed: SkillRecord[] = [];
  readonly everything: SkillRecord[] = [];
  readonly copies = new Map<string, string>();
  readonly unusable: FoundSkill[] = [];
  readonly diagnostics: Diagnostic[];
  readonly rootDiagnostics: readonly Diagnostic[];
  readonly stamps = new LateMap();
  readonly inline = new Map<string, InlineSkill>();
  readonly trustBases = new Map<string, TrustBasis>();
  readonly #winners = new Map<string, Mutable<SkillRecord>>();
  readonly #ids = new UniqueIds();
  readonly #options: SnapshotOptions;

  constructor(rootDiagnostics: readonly Diagnostic[], options: SnapshotOptions) {
    this.rootDiagnostics = rootDiagnostics;
    this.diagnostics = [...rootDiagnostics];
    this.#options = options;
  }

  /** Without what is only needed to make it. */
  snapshot(): Snapshot {
    const { all, shadowed, everything, copies, unusable, diagnostics, rootDiagnostics } = this;
    const { stamps, inline, trustBases } = this;
    return {
      all,
      shadowed,
      everything,
      copies,
      unusable,
      diagnostics,
      rootDiagnostics,
      stamps,
      inline,
      trustBases,
    };
  }

  add(skill: FoundSkill): Promise<void> | undefined {
    const { metadata, diagnostics } = skill;
    if (diagnostics.length > 0) this.diagnostics.push(...diagnostics);
    if (metadata === undefined) {
      this.unusable.push(skill);
      return undefined;
    }
    const { isTrusted } = this.#options;
    if (isTrusted === undefined) return this.#place(skill, metadata, true);
    return this.#placeIf(isTrusted, skill, metadata);
  }

  #placeIf(
    isTrusted: TrustDecision,
    skill: FoundSkill,
    metadata: SkillMetadata,
  ): Promise<void> | undefined {
    let digest: string | undefined;
    const place = (trusted: boolean) => this.#place(skill, metadata, trusted, digest);
    try {
      const trust = isTrusted(skill, (only) => (digest = only));
      if (typeof trust === "boolean") return place(trust);
      return Promise.resolve(trust).then(
        (trusted: unknown) => place(trusted === true),
        (error: unknown) => place(this.#undecided(skill, error)),
      );
    } catch (error) {
      return place(this.#undecided(skill, error));
    }
  }

  #undecided({ directory, relativePath }: FoundSkill, error: unknown): false {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `it is not known whether the skill is trusted, so it is not: ${reason}`;
    this.diagnostics.push(rootDiagnostic(trustUndecided, directory ?? relativePath, message));
    return false;
  }

  #place(
    skill: FoundSkill,
    metadata: SkillMetadata,
    trusted: boolean,
    digest?: string,
  ): Promise<void> | undefined {
    const id = this.#ids.next(skill, idOf(skill, metadata));
    const enabled = this.#options.isEnabled?.(skill) ?? true;
    const record = recordOf(id, skill, metadata, trusted, enabled);
    const key = foldName(record.name);
    const winner = this.#winners.get(key);
    this.everything.push(record);
    this.stamps.add(id, skill.stamp ?? "");
    if (skill.inline !== undefined) this.inline.set(record.id, skill.inline);
    if (trusted && digest !== undefined) this.trustBases.set(record.id, { digest });
    if (winner === undefined) {
      this.#winners.set(key, record);
      this.all.push(record);
      return undefined;
    }
    return this.#placeBehind(winner, record);
  }

  async #placeBehind(winner: Mutable<SkillRecord>, record: Mutable<SkillRecord>): Promise<void> {
    const isInOneRoot = winner.root === record.root && winner.source === record.source;
    const same =
      isInOneRoot || this.#isInline(winner, record) ? undefined : sameContent(winner, record);
    const basis = await same;
    if (basis !== undefined) this.#collapse(winner, record, basis);
    else if (record.trusted && !winner.trusted) this.#giveWay(winner, record);
    else if (isInOneRoot) {
      this.all.push(record);
      // One folder that was named twice.
      if (winner.path === record.path && !this.#isInline(record)) return;
      record.shadowedBy = winner.id;
      const message = `the name \`${record.name}\` is taken by ${placeText(winner)}; this one is reachable as \`${record.relativePath}\``;
      this.diagnostics.push(rootDiagnostic(nameRepeated, record.path, message));
    } else {
      record.shadowedBy = winner.id;
      this.shadowed.push(record);
      const message = `\`${record.name}\` is shadowed by the one in ${placeText(winner)}`;
      this.diagnostics.push(rootDiagnostic(skillShadowed, record.path, message));
    }
  }

  #isInline(...records: readonly SkillRecord[]): boolean {
    return records.some(({ id }) => this.inline.has(id));
  }

  #collapse(winner: Mutable<SkillRecord>, record: SkillRecord, basis: TrustBasis): void {
    this.copies.set(record.id, winner.id);
    winner.alsoAt = [...winner.alsoAt, record.path];
    winner.alsoFrom = [...winner.alsoFrom, record.source];
    if (winner.trusted || !record.trusted) return;
    // The same files: what is trusted in one place is trusted in the other, while they are the same.
    winner.trusted = true;
    this.trustBases.set(winner.id, this.trustBases.get(record.id) ?? basis);
  }

  /** Who may not be disclosed must not keep a model from a skill that may. */
  #giveWay(winner: Mutable<SkillRecord>, record: Mutable<SkillRecord>): void {
    winner.shadowedBy = record.id;
    this.#winners.set(foldName(record.name), record);
    this.all.push(record);
    const message = `\`${winner.name}\` is not trusted, so that the one in ${placeText(record)} takes its place`;
    this.diagnostics.push(rootDiagnostic(skillShadowed, winner.path, message));
  }
}

function idOf({ source, relativePath }: FoundSkill, { version }: SkillMetadata): string {
  return version === undefined
    ? `${source}:${relativePath}`
    : `${source}:${relativePath}@${version}`;
}

function recordOf(
  id: string,
  skill: FoundSkill,
  metadata: SkillMetadata,
  trusted: boolean,
  enabled: boolean,
): Mutable<SkillRecord> {
  const { source, root, relativePath, directory, uri, diagnostics } = skill;
  const { name, description, version, userInvocable, runMode, allowedTools } = metadata;
  const record: Mutable<SkillRecord> = {
    id,
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
    metadata: metadata.metadata ?? NO_METADATA,
    trusted,
    enabled,
    diagnostics,
  };
  if (version !== undefined) record.version = version;
  if (uri !== undefined) record.uri = uri;
  if (allowedTools !== undefined) record.allowedTools = allowedTools;
  return record;
}

const NOWHERE: readonly string[] = [];
const NO_METADATA: SkillRecord["metadata"] = Object.freeze({});
