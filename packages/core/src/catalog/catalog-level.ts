import { foldName } from "../registry/skill-record.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import type { Level } from "./choose-levels.ts";
import { renderCatalog } from "./render-catalog.ts";
import type { CatalogOptions } from "./catalog-options.ts";

/** How much a catalog would say of one skill; undefined when the skill is kept from models. */
export function catalogLevel(
  name: string,
  records: readonly SkillRecord[],
  options: CatalogOptions = {},
): Level | undefined {
  const { shown, shortened, nameOnly, omitted } = renderCatalog(records, options);
  const wanted = foldName(name);
  const has = (names: readonly string[]) => names.some((other) => foldName(other) === wanted);
  if (has(shown)) return "full";
  if (has(shortened)) return "short";
  if (has(nameOnly)) return "name";
  return has(omitted) ? "omitted" : undefined;
}
