import type {
  ActivateOptions,
  Activation,
  ActivationFailure,
} from "../activation/activate-skill.ts";
import type { Ledger, SkillNotFound, VisibleSkill } from "./context.ts";
import type { CatalogOptions } from "../catalog/catalog-entry.ts";
import type { Catalog } from "../catalog/render-catalog.ts";
import type { FileList, ListFilesOptions } from "../files/list-files.ts";
import type { ReadFileOptions, ReadFileResult } from "../files/read-file.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { Failure } from "../failure.ts";
import type { CodeRequest, ScriptRequest } from "../tools/skill-tool.ts";

export interface SkillHit {
  readonly name: string;
  readonly description: string;
  /** The share of the query that was found, by how rare its words are: about 0 to 1. */
  readonly score: number;
  readonly source: string;
  /** Its folder, or where else it comes from. */
  readonly path: string;
}

export interface SkillScript {
  readonly path: string;
  /** It is a function of the host. */
  readonly isCode: boolean;
}

export type PreparedScript =
  | { readonly ok: true; readonly request: ScriptRequest | CodeRequest }
  | Failure;

/** What the tools of a conversation need of it. */
export interface Disclosure {
  readonly skills: readonly SkillRecord[];
  readonly ledger: Ledger;
  find(name: string): VisibleSkill;
  catalog(options?: CatalogOptions): Catalog;
  search(query: string, options?: { limit?: number }): Promise<SkillHit[]>;
  activate(
    name: string,
    options?: ActivateOptions,
  ): Promise<Activation | ActivationFailure | SkillNotFound>;
  listFiles(name: string, options?: ListFilesOptions): Promise<FileList | SkillNotFound>;
  /** Paths of scripts, as far as they are known without a look at many folders. */
  scriptsOf(skill: SkillRecord): readonly SkillScript[];
  /** What an executor needs to run a script. Files that are in no folder are written to the user's cache. */
  scriptRequest(request: ScriptRequest): Promise<PreparedScript>;
  readFile(
    name: string,
    path: string,
    options?: ReadFileOptions,
  ): Promise<ReadFileResult | SkillNotFound>;
}
