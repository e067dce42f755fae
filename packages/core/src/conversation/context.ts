import type { Failure } from "../failure.ts";
import { nearNames } from "../format/names.ts";
import {
  createNameIndex,
  foldName,
  isVisibleToModel,
  type NamedSkills,
  type SkillRecord,
} from "../registry/skill-record.ts";

export type VisibleSkill =
  | { readonly ok: true; readonly skill: SkillRecord }
  | Failure<"skill-not-found" | "skill-unusable">;

export type SkillNotFound = Extract<VisibleSkill, { ok: false }>;

/** The registry that a conversation looks names up in. */
export interface KnownSkills extends NamedSkills {
  get(name: string): SkillRecord | undefined;
  find(name: string): VisibleSkill;
  narrow(includes: (record: SkillRecord) => boolean): NamedSkills;
}

interface VisibleSkillsOptions {
  /** A person also sees what is hidden from models or not trusted. */
  readonly audience: "model" | "person";
  /** The conversation's filter; precedence among skills of one name is decided after it. */
  readonly include?: ((record: SkillRecord) => boolean) | undefined;
  /** The names that the filter is about, where it is a list. */
  readonly names?: ReadonlySet<string> | undefined;
}

/** Of a name that does not exist. */
const MAX_ECHOED = 100;
const MAX_CANDIDATES = 5;

/** Which skills the agent of a conversation may know of; for it the others do not exist. */
export class VisibleSkills {
  readonly #skills: KnownSkills;
  readonly #options: VisibleSkillsOptions;
  /** Ids of skills that a person called although they are hidden from models. */
  readonly #called = new Set<string>();

  constructor(skills: KnownSkills, options: VisibleSkillsOptions) {
    this.#skills = skills;
    this.#options = options;
  }

  /** The skills that pass the filter, seen or not, in order of precedence. */
  get included(): readonly SkillRecord[] {
    return this.#isFiltered ? this.#skills.narrow(this.includes).all : this.#skills.all;
  }

  /** In order of precedence. */
  get all(): readonly SkillRecord[] {
    const isPerson = this.#options.audience === "person";
    // A model could not tell two skills of one name apart.
    return this.included.filter(
      (record) => this.#isOffered(record) && (isPerson || record.shadowedBy === undefined),
    );
  }

  find(given: string): VisibleSkill {
    const name = given.trim();
    const skill = this.#get(name);
    if (skill !== undefined && this.#isOffered(skill)) return { ok: true, skill };
    if (skill === undefined) {
      const failure = this.#skills.find(name);
      if (!failure.ok && failure.code === "skill-unusable" && this.#mayHearOf(name)) {
        return { ...failure, candidates: this.#candidates(name) };
      }
    }
    return skill !== undefined && this.#isOnlyDisabled(skill)
      ? disabledFailure(skill)
      : this.notFound(name);
  }

  /** Also what is hidden from models, where a person may call it. */
  findForPerson(given: string): VisibleSkill {
    const name = given.trim();
    const skill = this.#get(name);
    if (skill?.trusted === true && skill.enabled && skill.userInvocable) return { ok: true, skill };
    if (skill === undefined && !this.#isFiltered) return this.#skills.find(name);
    return this.notFound(name);
  }

  notFound(name: string): SkillNotFound {
    const message = `there is no skill named ${JSON.stringify(name.slice(0, MAX_ECHOED))}`;
    return { ok: false, code: "skill-not-found", message, candidates: this.#candidates(name) };
  }

  has(record: SkillRecord): boolean {
    return this.includes(record) && this.#isOffered(record);
  }

  /** Whether the conversation's filter lets it through. */
  readonly includes = (record: SkillRecord): boolean => {
    const { names, include } = this.#options;
    if (names !== undefined && !names.has(foldName(record.name))) return false;
    return include?.(record) ?? true;
  };

  /** A person called it: from now on the model may know of it. */
  call(id: string): void {
    this.#called.add(id);
  }

  /** The call is over. */
  forget(id: string): void {
    this.#called.delete(id);
  }

  wasCalled({ id }: SkillRecord): boolean {
    return this.#called.has(id);
  }

  get #isFiltered(): boolean {
    return this.#options.names !== undefined || this.#options.include !== undefined;
  }

  #get(name: string): SkillRecord | undefined {
    if (!this.#isFiltered) return this.#skills.get(name);
    return createNameIndex(this.#skills.narrow(this.includes))(name);
  }

  #isOffered(record: SkillRecord): boolean {
    if (this.#options.audience === "person") return record.enabled;
    if (isVisibleToModel(record)) return true;
    return this.wasCalled(record) && record.trusted && record.enabled;
  }

  /** A skill the model may not know of for another reason is not mentioned at all. */
  #isOnlyDisabled(record: SkillRecord): boolean {
    return !record.enabled && this.#isOffered({ ...record, enabled: true });
  }

  /** Only the name of an unreadable skill is known, so a filter function cannot be asked. */
  #mayHearOf(name: string): boolean {
    const { names, include } = this.#options;
    return include === undefined && (names?.has(foldName(name)) ?? true);
  }

  #candidates(name: string): string[] {
    const names = new Set(this.all.map((skill) => skill.name));
    return nearNames(name, names, MAX_CANDIDATES);
  }
}

function disabledFailure({ name }: SkillRecord): SkillNotFound {
  const message = `the skill ${JSON.stringify(name)} is disabled`;
  return { ok: false, code: "skill-not-found", message, hint: "It has to be enabled first." };
}

/** A skill whose text is in the conversation. */
export interface ActiveSkill {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  /** A person called it, so that a model may know of it even if it is kept from models. */
  readonly byPerson?: true;
  readonly message: SkillMessage;
  readonly tokens: number;
}

/** What of an active skill is kept when the conversation is saved. */
export type SavedActivation = Pick<ActiveSkill, "id" | "name" | "digest" | "byPerson">;

/** What is in one conversation's context, in the order in which it was last used. */
export class Ledger {
  readonly #active = new Map<string, ActiveSkill | SavedActivation>();

  constructor(saved: readonly SavedActivation[] = []) {
    for (const activation of saved) this.#active.set(activation.id, activation);
  }

  /** The digest under which the skill is in context. */
  digestOf(id: string): string | undefined {
    return this.#active.get(id)?.digest;
  }

  /** The last one is the most recent. */
  add(skill: ActiveSkill): void {
    const byPerson = skill.byPerson ?? this.#active.get(skill.id)?.byPerson;
    this.#active.delete(skill.id);
    this.#active.set(skill.id, byPerson === undefined ? skill : { ...skill, byPerson });
  }

  /** It was asked for again. */
  touch(id: string, byPerson?: true): void {
    const skill = this.#active.get(id);
    if (skill === undefined) return;
    this.#active.delete(id);
    this.#active.set(id, byPerson === undefined ? skill : { ...skill, byPerson });
  }

  /** It is in context with another text now, and in the same place. */
  replace(skill: ActiveSkill): void {
    const { byPerson } = this.#active.get(skill.id) ?? {};
    this.#active.set(skill.id, byPerson === undefined ? skill : { ...skill, byPerson });
  }

  /** For a host that dropped the skill's text from the conversation. */
  remove(id: string): void {
    this.#active.delete(id);
  }

  clear(): void {
    this.#active.clear();
  }

  /** Most recent first. */
  get active(): readonly (ActiveSkill | SavedActivation)[] {
    return [...this.#active.values()].reverse();
  }

  save(): SavedActivation[] {
    return Array.from(this.#active.values(), ({ id, name, digest, byPerson }) => ({
      id,
      name,
      digest,
      ...(byPerson && { byPerson }),
    }));
  }
}

/** A part of a conversation, in the least that all model protocols share. */
export interface SkillMessage {
  readonly role: "user" | "system";
  readonly content: string;
}
