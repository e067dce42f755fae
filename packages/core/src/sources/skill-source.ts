import type { Failure } from "../failure.ts";
import type { Diagnostic } from "../format/diagnostic.ts";
import type { SkillMetadata } from "../format/draft.ts";

/** A skill as a source found it. Its identity is the source's label and the relative path. */
export interface FoundSkill {
  readonly source: string;
  /** Where it was found; two roots of one source may hold the same relative path. */
  readonly root: string;
  /** Relative to the root with `/`: `pdf`, or `org/pdf` for a namespace. */
  readonly relativePath: string;
  /** The skill's folder; absent for skills that are defined in code. */
  readonly directory?: string;
  /** Of a skill that somebody else keeps and that is in no folder here. */
  readonly uri?: string;
  /** Absent when the skill cannot be used; a diagnostic then says why. */
  readonly metadata?: SkillMetadata;
  readonly diagnostics: readonly Diagnostic[];
  /** Changes when SKILL.md does. */
  readonly stamp?: string;
  /** What a skill defined in code consists of. */
  readonly inline?: InlineSkill;
}

/** A skill defined in code. Text may be made when it is first asked for. */
export interface InlineSkill {
  readonly name: string;
  readonly description: string;
  readonly instructions: Lazy<string>;
  /** Further files by relative path: text, or bytes of whatever is none. Those below `scripts/` can be run. */
  readonly files?: Readonly<Record<string, FileSource>>;
  /** Typed functions that are called like scripts; see `script`. */
  readonly scripts?: readonly CodeScript[];
  readonly metadata?: Readonly<Record<string, string>>;
  /** As in a SKILL.md: `Read Bash(git:*)`. */
  readonly allowedTools?: string;
  readonly disableModelInvocation?: boolean;
  readonly userInvocable?: boolean;
  /** The whole SKILL.md, for sources that have one; the fields above then repeat it. */
  readonly skillFile?: () => Promise<string>;
}

type Lazy<T> = T | (() => T | Promise<T>);

/** Text or bytes, a function that makes them, or a file of a store. */
export type FileSource = Lazy<string | Uint8Array> | StoredFile;

/** A file that is fetched when it is read. */
interface StoredFile {
  readonly size?: number;
  /** Changes when the content does, such as a version or an ETag. */
  readonly stamp?: string;
  read(): Promise<string | Uint8Array>;
}

/** A typed function of the host that is called like a script of its skill. */
export interface CodeScript {
  /** Below `scripts/`. */
  readonly path: string;
  /** What a model reads of it, and a person who approves a call: its purpose and its input. */
  readonly text: string;
  /** Why these arguments cannot be its input; undefined when they can. */
  check(args: readonly string[]): Promise<Failure | undefined>;
  run(args: readonly string[], context: { readonly signal?: AbortSignal }): Promise<CodeOutput>;
}

type CodeOutput = { readonly ok: true; readonly text: string } | Failure;

export interface SourceScan {
  /** In order of precedence. */
  readonly skills: readonly FoundSkill[];
  /** About roots, not about single skills. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ScanContext {
  /** Remembers what was read before; without one everything is read anew. */
  readonly cache?: ScanCache | undefined;
}

/** One tiny interface: everything that can name skills is a source. Must not throw. */
export interface SkillSource {
  scan(context: ScanContext): Promise<SourceScan>;
  /** Folders to watch for changes. */
  readonly roots: readonly string[];
  /** Of several sources with one identity only the first is asked; without one all are. */
  identity?(): string;
  /** Where a skill that no scan gave might be all the same. May take its time; must not throw. */
  lookFor?(wanted: WantedSkill): readonly MissedSkill[];
}

export interface WantedSkill {
  /** Whether a name, a folder's name or a path from the root is the one that is meant. */
  readonly isMeant: (name: string) => boolean;
  /** Folders of skills that were found and can be used. */
  readonly known: ReadonlySet<string>;
}

/** A place where a skill would be, were it not for the reason. */
export interface MissedSkill {
  readonly path: string;
  readonly source: string;
  /** In a sentence. */
  readonly reason: string;
}

/** What a scan of a root found, kept until the files change. The first line of a key is the root. */
export interface ScanCache {
  read(key: string): Promise<FolderIndex | undefined>;
  write(key: string, index: FolderIndex): Promise<void>;
}

/** The searched folders below a root, by relative path; the root's own is empty. */
export interface FolderIndex {
  readonly source: string;
  readonly root: string;
  readonly folders: ReadonlyMap<string, IndexedFolder>;
  /** Some folders were left out by `.gitignore`, which says nothing about the next time. */
  readonly filtered?: boolean;
}

export interface IndexedFolder {
  /** Empty when it must be listed anew in any case. */
  readonly stamp: string;
  readonly skills: readonly IndexedSkill[];
  /** Names of folders that are searched further, and of links that led to no skill. */
  readonly folders: readonly string[];
  readonly links?: readonly string[];
}

export interface IndexedSkill extends FoundSkill {
  readonly directory: string;
  readonly stamp: string;
  /** Must be read anew in any case. */
  readonly racy?: boolean;
}
