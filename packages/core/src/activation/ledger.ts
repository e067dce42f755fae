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
