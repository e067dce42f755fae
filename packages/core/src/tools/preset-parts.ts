import type { CatalogOptions } from "../catalog/catalog-options.ts";
import type { Disclosure } from "../conversation/disclosure.ts";
import type { TextParameter } from "./parameters.ts";
import type { ScriptExecutor } from "./skill-tool.ts";

/** What a preset makes its tools from. */
export interface PresetParts {
  readonly view: Disclosure;
  readonly nameOf: (tool: string) => string;
  readonly executor: ScriptExecutor | undefined;
  readonly maxBytes: number | undefined;
  /** The tool that lists files, where there is one. */
  readonly listTool?: string | undefined;
  /** How the catalog of the same model is made. */
  readonly catalog: CatalogOptions;
  /** The parameter that names a skill, the same in every tool. */
  readonly skillName: TextParameter;
  /** The same for tools that run scripts: only skills that have some. */
  readonly scriptSkill: TextParameter;
}

export const DEFAULT_MAX_BYTES = 51_200;
