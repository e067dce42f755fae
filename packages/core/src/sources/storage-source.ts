import type { Diagnostic } from "../format/diagnostic.ts";
import { parseSkillPath } from "../files/skill-path.ts";
import { checkOptions } from "../internal/options.ts";
import { rootDiagnostic, scanLimit, sourceFailed } from "./scan-rules.ts";
import type { FileSource, FoundSkill, SkillSource, SourceScan } from "./skill-source.ts";

/** A skill in a database or an object store. */
export interface StoredSkill {
  /** `pdf`, or `org/pdf`. Its last part is the name of the skill's folder. */
  readonly path: string;
  /** With SKILL.md. Sizes are in bytes; a stamp changes when the content does, as an ETag does. */
  readonly files: readonly {
    readonly path: string;
    readonly size?: number;
    readonly stamp?: string;
  }[];
}

export interface StorageOptions {
  readonly label: string;
  /** All skills, with the names of their files. Called when `stamp` has changed. */
  list(): Promise<readonly StoredSkill[]>;
  /** The content of one file, called when it is needed. */
  read(skill: string, path: string): Promise<Uint8Array | string>;
  /** Cheap: another text whenever any skill has changed. Without it, every look calls `list`. */
  stamp?(): Promise<string> | string;
}

const SKILL_FILE = "SKILL.md";
const MAX_SKILLS = 20_000;
const MAX_FILES = 2000;
const MAX_SKILL_FILE_BYTES = 1024 * 1024;
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const READS_AT_ONCE = 16;

/**
 * Skills in a database, an object store or behind an API. Only SKILL.md is read to list them, and only
 * again when its stamp changes. What the store throws becomes a diagnostic; while it cannot list its
 * skills, the last ones stay.
 */
export function storageSource(options: StorageOptions): SkillSource {
  checkOptions("storageSource", options, {
    label: "string",
    list: "function",
    read: "function",
    stamp: "function",
  });
  return new Storage(options);
}

interface KnownSkill {
  readonly stamp: string;
  readonly found: FoundSkill;
}

class Storage implements SkillSource {
  readonly roots = [];
  readonly #options: StorageOptions;
  #stamp: string | undefined;
  #last: SourceScan = { skills: [], diagnostics: [] };
  #known = new Map<string, KnownSkill>();

  constructor(options: StorageOptions) {
    this.#options = options;
  }

  async scan(): Promise<SourceScan> {
    const { label } = this.#options;
    try {
      const stamp = await this.#options.stamp?.();
      if (stamp !== undefined && stamp === this.#stamp) return this.#last;
      this.#last = await this.#list();
      // What could not be read is tried again at the next look.
      const isComplete = this.#last.skills.every(({ metadata, stamp: own }) => metadata ?? own);
      this.#stamp = isComplete ? stamp : undefined;
      return this.#last;
    } catch (error) {
      const message = `${label} cannot list its skills: ${reasonOf(error)}`;
      return {
        skills: this.#last.skills,
        diagnostics: [rootDiagnostic(sourceFailed, label, message)],
      };
    }
  }

  async #list(): Promise<SourceScan> {
    const { label } = this.#options;
    const diagnostics: Diagnostic[] = [];
    const listed = await this.#options.list();
    if (listed.length > MAX_SKILLS) {
      const message = `${label} has ${listed.length} skills, of which ${MAX_SKILLS} are used`;
      diagnostics.push(rootDiagnostic(scanLimit, label, message));
    }
    const places = new Map<string, StoredSkill>();
    for (const skill of listed.slice(0, MAX_SKILLS)) {
      const parsed = parseSkillPath(skill.path);
      if (parsed.ok && parsed.path !== "" && !places.has(parsed.path)) {
        places.set(parsed.path, skill);
        continue;
      }
      const reason = parsed.ok ? `two skills have the path ${parsed.path}` : parsed.message;
      diagnostics.push(rootDiagnostic(sourceFailed, label, reason));
    }
    const known = new Map<string, KnownSkill>();
    const waiting = [...places];
    const readNext = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const [place, skill] = next;
        known.set(place, await this.#find(place, skill));
      }
    };
    await Promise.all(Array.from({ length: READS_AT_ONCE }, readNext));
    this.#known = known;
    const skills = [...places.keys()].flatMap((place) => known.get(place)?.found ?? []);
    return { skills, diagnostics };
  }

  async #find(place: string, { path: given, files }: StoredSkill): Promise<KnownSkill> {
    const { label } = this.#options;
    const listed = files.slice(0, MAX_FILES);
    const stamp = JSON.stringify(listed.map((file) => [file.path, file.size, file.stamp]));
    const before = this.#known.get(place);
    const own = listed.find(({ path }) => path === SKILL_FILE);
    if (own?.stamp !== undefined && before?.stamp === stamp && before.found.metadata) return before;
    const file = `${label}:${place}/${SKILL_FILE}`;
    const refused = listed.flatMap(({ path }) => {
      const parsed = parseSkillPath(path);
      return parsed.ok && parsed.path === path
        ? []
        : [
            rootDiagnostic(
              sourceFailed,
              file,
              parsed.ok
                ? `the path ${JSON.stringify(path)} is not in its plain form`
                : parsed.message,
            ),
          ];
    });
    const base = { source: label, root: label, relativePath: place };
    try {
      const text = decode(await this.#read(given, SKILL_FILE, MAX_SKILL_FILE_BYTES));
      const { parseSkill } = await import("../format/parse-skill.ts");
      const directoryName = place.slice(place.lastIndexOf("/") + 1);
      const { skill, diagnostics } = parseSkill(text, { directoryName, file });
      const found = {
        ...base,
        diagnostics: [...diagnostics, ...refused],
        stamp: own?.stamp ?? text,
      };
      if (skill === undefined) return { stamp, found };
      const {
        body,
        extra: _extra,
        bodyLine: _line,
        license: _license,
        compatibility: _needs,
        author: _author,
        ...level1
      } = skill;
      const inline = {
        name: skill.name,
        description: skill.description,
        instructions: body,
        metadata: skill.metadata,
        files: this.#filesOf(given, listed),
        skillFile: async () => decode(await this.#read(given, SKILL_FILE, MAX_SKILL_FILE_BYTES)),
      };
      return { stamp, found: { ...found, metadata: level1, inline } };
    } catch (error) {
      const problem = rootDiagnostic(sourceFailed, file, `cannot be read: ${reasonOf(error)}`);
      return { stamp, found: { ...base, diagnostics: [problem, ...refused] } };
    }
  }

  #filesOf(skill: string, files: StoredSkill["files"]): Record<string, FileSource> {
    return Object.fromEntries(
      files.map(({ path, size, stamp }) => [
        path,
        {
          ...(size !== undefined && { size }),
          ...(stamp !== undefined && { stamp }),
          read: () => this.#read(skill, path, MAX_FILE_BYTES),
        },
      ]),
    );
  }

  async #read(skill: string, path: string, maxBytes: number): Promise<Uint8Array> {
    const content = await this.#options.read(skill, path);
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    if (!(bytes instanceof Uint8Array)) throw new TypeError(`${path} is neither text nor bytes`);
    if (bytes.length > maxBytes) throw new RangeError(`${path} has more than ${maxBytes} bytes`);
    return bytes;
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
