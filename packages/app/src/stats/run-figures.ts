import type { AuditRecord } from "@skillwright/runtime";

/** What one record says about skills. Short names, because the index keeps one of these per run. */
export interface RunFigures {
  /** When it began. */
  readonly time: string;
  /** It worked through a skill for another run. */
  readonly child?: true;
  readonly catalog: string;
  /** Answers of the model. */
  readonly turns: number;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
  /** Hashes of the words of the request; of child runs none, since the request is their parent's. */
  readonly words?: readonly number[];
  readonly skills: Readonly<Record<string, SkillFigures>>;
  readonly scripts: Readonly<Record<string, Readonly<Record<string, ScriptFigures>>>>;
  /** Lines that could not be read. */
  readonly damaged?: number;
}

interface SkillFigures {
  /** Its instructions came into context in this run. */
  activated?: 1;
  /** It was in use: activated here, earlier in the conversation, or in a child run. */
  used?: 1;
  routed?: 1;
  violations?: number;
  /** Tokens sent, summed over the turns in which they were in context. */
  body?: number;
  files?: number;
  cost?: number;
}

/** Starts, failures, those cut off, and milliseconds in total and at most. */
type ScriptFigures = [
  runs: number,
  failed: number,
  interrupted: number,
  totalMs: number,
  maxMs: number,
];

export interface CatalogFigures {
  readonly tokens: number;
  /** `name@source`, and its part of the tokens as a weight. */
  readonly skills: readonly (readonly [skill: string, weight: number])[];
}

/** What an entry takes beside name and description. */
const ENTRY_CHARACTERS = 40;
const MAX_WORDS = 40;

interface Data {
  readonly parent?: string;
  readonly request?: string;
  readonly catalog?: {
    readonly digest: string;
    readonly tokens: number;
    readonly skills: readonly { name: string; description: string; source: string }[];
  };
  readonly id?: string;
  readonly name?: string;
  readonly source?: string;
  readonly tokens?: number;
  readonly carried?: true;
  readonly droppedSkills?: readonly string[];
  readonly usage?: { inputTokens: number; outputTokens: number; calls: number; cost?: number };
  readonly skill?: unknown;
  readonly decision?: string;
  readonly candidates?: readonly unknown[];
  readonly script?: string;
  readonly ok?: boolean;
  readonly durationMs?: number;
}

/** The part of the event in each line that decides whether it is parsed: most of a record is not. */
const COUNTED =
  /^\{"schemaVersion":1,"sequence":\d+,"time":"[^"]*","event":"(?:run-start|model-re(?:quest|sponse)|skill-(?:activate|drop|route)|file-read|context-trim|child-start|script-(?:start|end)|gate-[\w-]+)"/;
const IS_RECORD = /^\{"schemaVersion":1,"sequence":\d+,"time":"[^"]*","event":"[\w-]+"/;

/** Undefined for a record without a beginning. A line without a newline is still being written. */
export function figuresOf(
  text: string,
  catalogs: Map<string, CatalogFigures>,
): RunFigures | undefined {
  const fold = new Fold(catalogs);
  let damaged = 0;
  for (
    let at = 0, end = text.indexOf("\n");
    end !== -1;
    at = end + 1, end = text.indexOf("\n", at)
  ) {
    // Whoever writes a record puts these fields first.
    const start = text.slice(at, Math.min(end, at + 160));
    if (!COUNTED.test(start)) {
      if (!IS_RECORD.test(start)) damaged++;
      continue;
    }
    try {
      fold.add(JSON.parse(text.slice(at, end)) as AuditRecord);
    } catch {
      damaged++;
    }
  }
  return fold.end(damaged);
}

interface Active {
  readonly key: string;
  readonly name: string;
  readonly tokens: number;
}

class Fold {
  readonly #catalogs: Map<string, CatalogFigures>;
  readonly #skills: Record<string, SkillFigures> = Object.create(null);
  readonly #scripts: Record<string, Record<string, ScriptFigures>> = Object.create(null);
  readonly #active = new Map<string, Active>();
  /** Tokens of files in context. */
  #files = new Map<string, number>();
  readonly #running = new Map<string, ScriptFigures>();
  #dropped: readonly string[] = [];
  #names = new Map<string, string>();
  #run: Pick<RunFigures, "time" | "child" | "catalog" | "words"> | undefined;
  #turns = 0;
  #input = 0;
  #output = 0;
  #cost = 0;

  constructor(catalogs: Map<string, CatalogFigures>) {
    this.#catalogs = catalogs;
  }

  add({ event, time, data: given }: AuditRecord): void {
    const data = (given ?? {}) as Data;
    if (event === "run-start") this.#start(time, data);
    else if (event === "model-request") this.#dropped = data.droppedSkills ?? [];
    else if (event === "model-response") this.#respond(data);
    else if (event === "skill-activate") this.#activate(data);
    else if (event === "skill-drop") this.#active.delete(data.id ?? "");
    else if (event === "file-read") this.#read(data);
    // The results of tools are shortened from here on.
    else if (event === "context-trim") this.#files = new Map();
    else if (event === "child-start") this.#of(this.#keyOf(data.skill)).used = 1;
    else if (event === "skill-route") {
      const [first] = data.candidates ?? [];
      if (data.decision !== "none" && first !== undefined) {
        this.#of(this.#keyOf(first)).routed = 1;
      }
    } else if (event === "script-start") this.#startScript(data);
    else if (event === "script-end") this.#endScript(data);
    else {
      const skill = this.#of(this.#keyOf(data.skill));
      skill.violations = (skill.violations ?? 0) + 1;
    }
  }

  end(damaged: number): RunFigures | undefined {
    if (this.#run === undefined) return undefined;
    for (const script of this.#running.values()) script[2]++;
    return {
      ...this.#run,
      turns: this.#turns,
      input: this.#input,
      output: this.#output,
      cost: this.#cost,
      skills: this.#skills,
      scripts: this.#scripts,
      ...(damaged > 0 && { damaged }),
    };
  }

  #start(time: string, { parent, request = "", catalog }: Data): void {
    const { digest = "", tokens = 0, skills = [] } = catalog ?? {};
    const key = `${digest}:${skills.length}`;
    if (!this.#catalogs.has(key)) {
      const weights = skills.map(({ name, description, source }): [string, number] => [
        `${name}@${source}`,
        name.length + description.length + ENTRY_CHARACTERS,
      ]);
      this.#catalogs.set(key, { tokens, skills: weights });
    }
    for (const { name, source } of skills) {
      if (!this.#names.has(name)) this.#names.set(name, `${name}@${source}`);
    }
    const isChild = parent !== undefined;
    const own = isChild ? { child: true as const } : { words: wordsOf(request) };
    this.#run = { time, catalog: key, ...own };
  }

  #respond({ usage }: Data): void {
    if (usage === undefined) return;
    const cost = counted(usage.cost);
    this.#cost += cost;
    this.#input += counted(usage.inputTokens);
    this.#output += counted(usage.outputTokens);
    // What a person called by name was decided without a model.
    if (!(usage.calls > 0)) return;
    this.#turns++;
    for (const [id, { key, tokens }] of this.#active) {
      const skill = this.#of(key);
      if (!this.#dropped.includes(id)) skill.body = (skill.body ?? 0) + tokens;
      if (cost > 0) skill.cost = (skill.cost ?? 0) + cost / this.#active.size;
    }
    for (const [key, tokens] of this.#files) {
      const skill = this.#of(key);
      skill.files = (skill.files ?? 0) + tokens;
    }
  }

  #activate({ id = "", name = "", source = "", tokens, carried }: Data): void {
    const key = `${name}@${source}`;
    const skill = this.#of(key);
    skill.used = 1;
    if (carried !== true) skill.activated = 1;
    this.#active.set(id, { key, name, tokens: counted(tokens) });
    this.#names.set(name, key);
  }

  #read({ skill, tokens, ok }: Data): void {
    const key = this.#keyOf(skill);
    if (ok === true) this.#files.set(key, (this.#files.get(key) ?? 0) + counted(tokens));
  }

  #startScript({ id = "", skill, script = "" }: Data): void {
    const key = this.#keyOf(skill);
    const ofSkill = (this.#scripts[key] ??= Object.create(null));
    const figures = (ofSkill[script] ??= [0, 0, 0, 0, 0]);
    figures[0]++;
    this.#running.set(id, figures);
  }

  #endScript({ id = "", ok, durationMs }: Data): void {
    const figures = this.#running.get(id);
    if (figures === undefined) return;
    this.#running.delete(id);
    if (ok !== true) figures[1]++;
    figures[3] += counted(durationMs);
    figures[4] = Math.max(figures[4], counted(durationMs));
  }

  #of(key: string): SkillFigures {
    return (this.#skills[key] ??= {});
  }

  /** Records name a skill as `name`, as `name@source`, or as both apart. */
  #keyOf(skill: unknown): string {
    if (typeof skill === "string")
      return skill.includes("@") ? skill : (this.#names.get(skill) ?? skill);
    const { name = "", source } = Object(skill) as { name?: string; source?: string };
    return source === undefined ? (this.#names.get(name) ?? name) : `${name}@${source}`;
  }
}

/** As in the budget of a run: amounts that are not positive and finite do not count. */
function counted(amount: number | undefined): number {
  return amount !== undefined && Number.isFinite(amount) && amount > 0 ? amount : 0;
}

/** The different words of a text as numbers, in order. */
export function wordsOf(text: string): readonly number[] {
  const words =
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words.slice(0, MAX_WORDS).map(hashOf))].toSorted((a, b) => a - b);
}

/** FNV-1a. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}
