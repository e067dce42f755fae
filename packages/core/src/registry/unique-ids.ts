import type { FoundSkill } from "../sources/skill-source.ts";

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
