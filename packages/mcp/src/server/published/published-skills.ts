import { type SkillRecord, type Skills } from "@skillwright/core";
import { type SkillChange, TimeSlice } from "@skillwright/core/internal";
import { skillUri, skillUriSegments } from "../../uri/skill-uri.ts";
import type { PublishedSkill } from "./published-skill.ts";
import { skillPlaces } from "./skill-places.ts";

/** A skill and the path of a file or folder in it; the path is empty for the skill's own folder. */
export interface FoundPlace {
  readonly skill: PublishedSkill;
  readonly path: string;
}

/** All skills under their URIs at one moment. */
export interface Publication {
  /** In order of their URIs. */
  readonly listed: readonly PublishedSkill[];
  /** Those of them that have an entry. */
  readonly offered: readonly PublishedSkill[];
  find(uri: string): FoundPlace | undefined;
}

/** Of a folder that changes all the time, the last look has to do. */
const MAX_LOOKS = 3;

/**
 * What the registry has, as it is offered under URIs. Skills are read when they are new or have changed,
 * and stay as they are until then.
 */
export class PublishedSkills {
  readonly #skills: Skills;
  readonly #onProblem: (skill: PublishedSkill) => void;
  readonly #changed = new Set<string>();
  #known = new Map<string, PublishedSkill>();
  #publication: Publication | undefined;
  #records: readonly SkillRecord[] | undefined;
  #folders:
    | { readonly records: readonly SkillRecord[]; readonly byId: ReadonlyMap<string, string> }
    | undefined;
  #building: Promise<Publication> | undefined;
  #isClosed = false;

  constructor(skills: Skills, onProblem: (skill: PublishedSkill) => void = () => {}) {
    this.#skills = skills;
    this.#onProblem = onProblem;
  }

  /** As it is now. Calls during a look share it, and the next one when something changed meanwhile. */
  async current(): Promise<Publication> {
    await this.#skills.refreshIfStale();
    let publication = this.#publication;
    for (let look = 0; look < MAX_LOOKS && !this.#isCurrent; look++) {
      this.#building ??= this.#build().finally(() => {
        this.#building = undefined;
      });
      publication = await this.#building;
    }
    return publication ?? publicationOf([]);
  }

  get #isCurrent(): boolean {
    return this.#records === this.#skills.all && this.#changed.size === 0;
  }

  /** The folder of a skill as clients know it; undefined for one that has none. */
  folderUri({ id }: SkillRecord): string | undefined {
    const records = this.#skills.all;
    if (this.#folders?.records !== records) {
      const folders = skillPlaces(this.#skills).map(
        ({ record, segments }) => [record.id, skillUri(segments)] as const,
      );
      this.#folders = { records, byId: new Map(folders) };
    }
    return this.#folders.byId.get(id);
  }

  /** Whether the last look gave it an entry, so that clients with the extension know it. */
  hasEntry({ id }: SkillRecord): boolean {
    return this.#known.get(id)?.entry !== undefined;
  }

  /** Files of these skills are not what they were. */
  noteChange({ added, removed, changed }: SkillChange): void {
    for (const name of [...added, ...removed, ...changed]) this.#changed.add(name);
  }

  /** Nobody asks any more, so that a look that is under way ends early. */
  close(): void {
    this.#isClosed = true;
  }

  async #build(): Promise<Publication> {
    const records = this.#skills.all;
    const changed = new Set(this.#changed);
    this.#changed.clear();
    const known = new Map<string, PublishedSkill>();
    const slice = new TimeSlice();
    // Loads the runtime, which only reads need.
    const { publishSkill } = await import("./publish-skill.ts");
    for (const place of skillPlaces(this.#skills)) {
      if (slice.isOver) await slice.rest();
      if (this.#isClosed) break;
      const { record, isListed, segments, stamp } = place;
      const before = changed.has(record.name) ? undefined : this.#known.get(record.id);
      const isSame = before?.stamp === stamp && before.segments.join("/") === segments.join("/");
      if (before !== undefined && isSame) {
        known.set(record.id, { ...before, record, isListed });
        continue;
      }
      const skill = await publishSkill(place);
      if (skill.problem !== undefined) this.#onProblem(skill);
      known.set(record.id, skill);
    }
    this.#known = known;
    this.#records = records;
    this.#publication = publicationOf([...known.values()]);
    return this.#publication;
  }
}

function publicationOf(all: readonly PublishedSkill[]): Publication {
  const byFolder = new Map(all.map((skill) => [skill.segments.join("/"), skill]));
  const listed = all
    .filter(({ isListed }) => isListed)
    .toSorted((a, b) => (a.uri < b.uri ? -1 : Number(a.uri > b.uri)));
  return {
    listed,
    offered: listed.filter(({ entry }) => entry !== undefined),
    find(uri) {
      const segments = skillUriSegments(uri) ?? [];
      // A source and a name are two segments, a name is one.
      for (const length of [2, 1]) {
        const skill = byFolder.get(segments.slice(0, length).join("/"));
        if (skill !== undefined && segments.length >= length) {
          return { skill, path: segments.slice(length).join("/") };
        }
      }
      return undefined;
    },
  };
}
