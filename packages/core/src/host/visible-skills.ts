import type { Failure } from "../failure.ts";
import { nearNames } from "../format/text/near-names.ts";
import { foldName, isVisibleToModel, type SkillRecord } from "../registry/skill-record.ts";
import type { SkillRegistry } from "../registry/skill-registry.ts";
import type { ViewOptions } from "./view-options.ts";

export type ViewFindResult =
  | { readonly ok: true; readonly skill: SkillRecord }
  | Failure<"skill-not-found" | "skill-unusable">;

export type ViewFindFailure = Extract<ViewFindResult, { ok: false }>;

/** Of a name that does not exist. */
const MAX_ECHOED = 100;

function notFoundFailure(name: string, candidates: readonly string[]): ViewFindFailure {
  const message = `there is no skill named ${JSON.stringify(name.slice(0, MAX_ECHOED))}`;
  return { ok: false, code: "skill-not-found", message, candidates };
}

function disabledFailure({ name }: SkillRecord): ViewFindFailure {
  const message = `the skill ${JSON.stringify(name)} is disabled`;
  return { ok: false, code: "skill-not-found", message, hint: "It has to be enabled first." };
}

export function changedFailure({ name }: SkillRecord): Failure<"skill-unusable"> {
  const message = `the skill ${name} has changed since it was trusted`;
  return { ok: false, code: "skill-unusable", message, hint: "It has to be trusted anew." };
}

export function notActiveFailure(
  name: string,
  candidates: readonly string[],
): Failure<"skill-not-active"> {
  const message = `the skill ${JSON.stringify(name.slice(0, MAX_ECHOED))} is not active`;
  return { ok: false, code: "skill-not-active", message, candidates };
}

const MAX_CANDIDATES = 5;

/** Which skills the agent of a view may know of; the others are not there for it. */
export class VisibleSkills {
  readonly #registry: SkillRegistry;
  readonly #options: ViewOptions;
  readonly #names: ReadonlySet<string> | undefined;
  /** Ids of skills that a person called although they are kept from models. */
  readonly #called = new Set<string>();

  constructor(registry: SkillRegistry, options: ViewOptions) {
    this.#registry = registry;
    this.#options = options;
    this.#names = options.names === undefined ? undefined : new Set(options.names.map(foldName));
    for (const { id, byPerson } of options.ledger ?? []) {
      if (byPerson === true) this.#called.add(id);
    }
  }

  /** In order of precedence. */
  get all(): readonly SkillRecord[] {
    const isPerson = this.#options.audience === "person";
    // A model could not tell two skills of one name apart.
    return this.#registry.all.filter(
      (record) => this.has(record) && (isPerson || record.shadowedBy === undefined),
    );
  }

  find(given: string): ViewFindResult {
    const name = given.trim();
    const found = this.#registry.find(name);
    if (found.ok && this.has(found.skill)) return found;
    if (!found.ok && found.code === "skill-unusable" && this.#mayHearOf(name)) {
      return { ...found, candidates: this.#candidates(name) };
    }
    return found.ok && this.#isOnlyDisabled(found.skill)
      ? disabledFailure(found.skill)
      : this.notFound(name);
  }

  /** Also what is kept from models, when the person may call it. */
  findForPerson(given: string): ViewFindResult {
    const name = given.trim();
    const found = this.#registry.find(name);
    if (!found.ok) return found;
    const { trusted, enabled, userInvocable } = found.skill;
    if (trusted && enabled && userInvocable && this.includes(found.skill)) return found;
    return this.notFound(name);
  }

  notFound(name: string): ViewFindFailure {
    return notFoundFailure(name, this.#candidates(name));
  }

  has(record: SkillRecord): boolean {
    const isOffered =
      this.#options.audience === "person"
        ? record.enabled
        : isVisibleToModel(record) ||
          (this.#called.has(record.id) && record.trusted && record.enabled);
    return isOffered && this.includes(record);
  }

  /** Whether it is one of those that the view is about, seen or not. */
  includes(record: SkillRecord): boolean {
    if (this.#names !== undefined && !this.#names.has(foldName(record.name))) return false;
    return this.#options.include?.(record) ?? true;
  }

  /** A person called it: from now on the model may know of it. */
  call({ id }: SkillRecord): void {
    this.#called.add(id);
  }

  /** The call is over. */
  forget(id: string): void {
    this.#called.delete(id);
  }

  wasCalled({ id }: SkillRecord): boolean {
    return this.#called.has(id);
  }

  /** What a model may not know of for another reason it hears nothing about. */
  #isOnlyDisabled(record: SkillRecord): boolean {
    return !record.enabled && this.has({ ...record, enabled: true });
  }

  /** Of a skill that cannot be read only its name is known, so that a filter cannot be asked. */
  #mayHearOf(name: string): boolean {
    if (this.#options.include !== undefined) return false;
    return this.#names === undefined || this.#names.has(foldName(name));
  }

  #candidates(name: string): string[] {
    const names = new Set(this.all.map((skill) => skill.name));
    return nearNames(name, names, MAX_CANDIDATES);
  }
}
